// Amplify v6, over TLS as it always is: API key, user pool tokens and IAM.
import { createRequire } from "node:module";
import { inspect } from "node:util";
import {
  CREATE, Inbox, ME, ON_MESSAGE, ON_TASK, SIGN_IN, credentials, done, restart, say, untilHeard,
  url,
} from "./steps.mjs";

const require = createRequire(import.meta.url);
const { Amplify } = require("aws-amplify");
const { generateClient } = require("aws-amplify/api");

let token = "";
Amplify.configure(
  {
    API: {
      GraphQL: {
        endpoint: `${url}/graphql`,
        region: "us-east-1",
        defaultAuthMode: "userPool",
        apiKey: "da2-guildhall-development",
      },
    },
  },
  {
    Auth: {
      tokenProvider: {
        getTokens: async () => ({ accessToken: { toString: () => token, payload: {} } }),
      },
      credentialsProvider: {
        getCredentialsAndIdentityId: async () => ({
          credentials: { accessKeyId: "AKIDAMPLIFY", secretAccessKey: "amplify-secret" },
        }),
        clearCredentialsAndIdentityId() {},
      },
    },
  },
);
const client = generateClient();

const listen = (options) => {
  const inbox = new Inbox();
  client.graphql(options).subscribe({
    next: ({ data }) => inbox.put({ data }),
    error: (error) => inbox.put({ error }),
  });
  return inbox;
};
const create = async (title, more = {}) => {
  const made = await client.graphql({ query: CREATE, variables: { input: { title } }, ...more });
  return made.data.createTask.id;
};

const session = await client.graphql({
  query: SIGN_IN,
  variables: { input: credentials },
  authMode: "apiKey",
});
token = session.data.signIn.accessToken;
say("signedIn");
say("query", (await client.graphql({ query: ME })).data);

const inbox = listen({ query: ON_TASK });
say("event", await untilHeard(create, inbox, "From Amplify"));

const refused = await listen({ query: ON_MESSAGE, variables: { room: "no-such-room" } })
  .next("a refusal");
const why = inspect(refused, { depth: 10 });
say("refusal", { code: why.includes("NOT_FOUND") ? "NOT_FOUND" : why });

const kept = token;
token = "not.a.token";
try {
  await client.graphql({ query: ME });
} catch ({ errors }) {
  say("unauthorized", { message: errors[0].message, hint: errors[0].recoverySuggestion });
}
token = kept;

const byKey = listen({ query: ON_TASK, authMode: "iam" });
const createByKey = (title) => create(title, { authMode: "iam" });
say("iam", await untilHeard(createByKey, byKey, "By IAM"));

await restart();
say("eventAfterRestart", await untilHeard(create, inbox, "After the restart"));
done();
