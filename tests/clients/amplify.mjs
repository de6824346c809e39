// Amplify v6, over TLS as it always is: API key, user pool tokens and IAM.
import { createRequire } from "node:module";
import { inspect } from "node:util";
import {
  CREATE, Inbox, ME, ON_MESSAGE, ON_TASK, SIGN_IN, credentials, done, pause, restart, say, untilHeard,
  url,
} from "./steps.mjs";

const require = createRequire(import.meta.url);
globalThis.WebSocket = require("ws").WebSocket;
const { Amplify } = require("aws-amplify");
const { generateClient } = require("aws-amplify/api");
const { Hub } = require("aws-amplify/utils");

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
const acks = new Inbox();
Hub.listen("api", ({ payload }) => {
  if (payload.event === "Subscription ack") acks.put(payload);
});

const listen = (options) => {
  const inbox = new Inbox();
  client.graphql(options).subscribe({
    next: ({ data }) => inbox.put({ data }),
    error: (error) => inbox.put({ error }),
  });
  return inbox;
};
const create = (title, more = {}) =>
  client.graphql({ query: CREATE, variables: { input: { title } }, ...more });

const session = await client.graphql({
  query: SIGN_IN,
  variables: { input: credentials },
  authMode: "apiKey",
});
token = session.data.signIn.accessToken;
say("signedIn");
say("query", (await client.graphql({ query: ME })).data);

const inbox = listen({ query: ON_TASK });
await acks.next("an ack");
say("mutation", (await create("From Amplify")).data);
say("event", (await inbox.next("an event")).data);

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
await acks.next("an ack of IAM");
await create("By IAM", { authMode: "iam" });
say("iam", (await byKey.next("an event of IAM")).data);

await restart();
say("eventAfterRestart", (await untilHeard(create, inbox)).data);
done();
