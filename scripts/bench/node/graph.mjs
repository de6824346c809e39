// Guildhall's own schema with resolvers for what is measured, and who is asking. Each server adds HTTP.
import { readFileSync } from "node:fs";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { createVerifier } from "fast-jwt";
import { GraphQLError } from "graphql";
import { list, loader, update } from "./table.mjs";

const MOST_PER_PAGE = 100;

// A signature is checked once and remembered, as Guildhall does.
const verify = createVerifier({
  key: process.env.PUBLIC_KEY,
  algorithms: ["ES256"],
  allowedIss: process.env.ISSUER,
  requiredClaims: ["sub", "exp"],
  cache: true,
});

const refused = (message, code) => new GraphQLError(message, { extensions: { code } });

/** What resolvers know of their request. */
export function contextOf(headers) {
  let claims;
  try {
    claims = verify((headers.authorization ?? "").replace(/^Bearer /, ""));
  } catch {
    throw refused("Sign in first.", "UNAUTHENTICATED");
  }
  if (claims.token_use !== "access") throw refused("Sign in first.", "UNAUTHENTICATED");
  return { user: `USER#${claims.sub}`, records: loader() };
}

function page(pk, prefix, args, index) {
  const limit = args.limit ?? 20;
  if (limit < 1 || limit > MOST_PER_PAGE) throw refused("limit must be 1 to 100.", "BAD_INPUT");
  return list(pk, prefix, { index, limit, nextToken: args.nextToken });
}

const taskKey = (context, id) => ({ PK: context.user, SK: `TASK#${id}` });

const resolvers = {
  Query: {
    task: (_, { id }, context) => context.records.load(taskKey(context, id)),
    tasks: (_, args, context) => page(context.user, "TASK#", args),
    goals: (_, args, context) => page(context.user, "GOAL#", args),
  },
  Goal: {
    tasks: async (goal, args, context) => {
      const links = await page(`GOAL#${goal.id}`, "TASK#", args, "GSI6"); // by due date
      const keys = links.items.map((link) => taskKey(context, link.taskId));
      const tasks = await context.records.loadMany(keys);
      return { ...links, items: tasks.filter((task) => task?.goalIds.includes(goal.id)) };
    },
  },
  Mutation: {
    updateTask: async (_, { input: { id, expectedVersion, idempotencyKey, ...changes } }, context) => {
      const key = taskKey(context, id);
      const old = await context.records.load(key);
      if (!old) throw refused("There is no such task.", "NOT_FOUND");
      if (expectedVersion && expectedVersion !== old.version) throw refused("It was changed.", "CONFLICT");
      return update(key, old.version, changes);
    },
  },
};

export const schema = makeExecutableSchema({
  typeDefs: readFileSync(new URL("../../../schema.graphql", import.meta.url), "utf8"),
  resolvers,
  resolverValidationOptions: { requireResolversForResolveType: "ignore" },
});
