// Amplify v6 from an amplify_outputs.json alone: the client writes its own documents.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { Inbox, credentials, done, say } from "./steps.mjs";

const require = createRequire(import.meta.url);
globalThis.WebSocket = require("ws").WebSocket;
const { Amplify } = require("aws-amplify");
const { generateClient } = require("aws-amplify/data");
const { Hub } = require("aws-amplify/utils");

let token = "";
const getTokens = async () => ({ accessToken: { toString: () => token, payload: {} } });
Amplify.configure(JSON.parse(readFileSync(process.env.AMPLIFY_OUTPUTS)), {
  Auth: { tokenProvider: { getTokens } },
});
const acks = new Inbox();
Hub.listen("api", ({ payload }) => {
  if (payload.event === "Subscription ack") acks.put(payload);
});
const must = ({ data, errors }) => {
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
};

const client = generateClient();
const session = must(await client.mutations.signIn({ input: credentials }, { authMode: "apiKey" }));
token = session.accessToken;
const inbox = new Inbox();
client.subscriptions.onTaskChanged({}).subscribe({
  next: (task) => inbox.put(task),
  error: (error) => inbox.put({ error }),
});
await acks.next("an ack");
const task = must(await client.mutations.createTask({ input: { title: "By the outputs" } }));
say("mutation", task);
say("event", await inbox.next("an event"));
say("query", must(await client.queries.tasks({ limit: 5 })));
done();
