// What `amplify codegen` does with a schema: statements at two depths, and types of them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { generateGraphQLDocuments } = require("@aws-amplify/graphql-docs-generator");
const { generateFromString } = require("@aws-amplify/graphql-types-generator");
const { Source } = createRequire(require.resolve("@aws-amplify/graphql-types-generator"))("graphql");

const schema = readFileSync(process.argv[2], "utf8");
const statements = (maxDepth) => {
  const { queries, mutations, subscriptions } = generateGraphQLDocuments(schema, { maxDepth });
  return Object.fromEntries([...queries, ...mutations, ...subscriptions]);
};

const byDepth = { 2: statements(2), 3: statements(3) };
const sources = [new Source(Object.values(byDepth[2]).join("\n"), "statements.graphql")];
const files = await generateFromString(schema, false, sources, "typescript", false, {
  addTypename: true,
  amplifyJsLibraryVersion: 6,
});
console.log(JSON.stringify({ byDepth, types: Object.values(files).join("\n") }));
