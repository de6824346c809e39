// npm's graphql-sse, a connection for each operation; and urql's own event streams.
import { Client, fetchExchange } from "@urql/core";
import { createClient } from "graphql-sse";
import {
  CREATE, Inbox, ME, ON_MESSAGE, ON_TASK, SIGN_IN, credentials, done, pause, restart, say,
  untilHeard, url,
} from "./steps.mjs";

let headers = {};
const client = createClient({
  url: `${url}/graphql`,
  headers: () => headers,
  retryAttempts: 200,
  retry: () => pause(300),
});
const ask = async (query, variables) => {
  const { value } = await client.iterate({ query, variables }).next();
  if (value.errors) throw value.errors;
  return value.data;
};

const session = (await ask(SIGN_IN, { input: credentials })).signIn;
headers = { authorization: session.accessToken };
say("query", await ask(ME));

const inbox = new Inbox();
client.subscribe(
  { query: ON_TASK },
  { next: (value) => inbox.put(value), error: (error) => inbox.put({ error }), complete() {} },
);
const create = async (title) => (await ask(CREATE, { input: { title } })).createTask.id;
say("event", await untilHeard(create, inbox, "From graphql-sse"));

const urql = new Client({
  url: `${url}/graphql`,
  fetchSubscriptions: true,
  preferGetMethod: false,
  exchanges: [fetchExchange],
  fetchOptions: () => ({ headers }),
});
const streamed = new Inbox();
urql.subscription(ON_TASK, {}).subscribe((result) => streamed.put(result));
say("urql", await untilHeard(create, streamed, "From urql's stream"));

try {
  await ask(ON_MESSAGE, { room: "no-such-room" });
} catch (errors) {
  say("refusal", { code: errors[0].extensions.code });
}

await restart();
say("eventAfterRestart", await untilHeard(create, inbox, "After the restart"));
done();
