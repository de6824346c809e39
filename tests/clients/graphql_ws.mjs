// npm's graphql-ws: everything over one socket, which comes back by itself.
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import {
  CREATE, Inbox, ME, ON_MESSAGE, ON_TASK, SIGN_IN, credentials, done, pause, restart, say, socketUrl,
  untilHeard,
} from "./steps.mjs";

const open = (connectionParams) =>
  createClient({
    url: `${socketUrl}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 200,
    retryWait: () => pause(300),
    shouldRetry: () => true,
  });
const ask = async (client, query, variables) => {
  const { value } = await client.iterate({ query, variables }).next();
  return value;
};

const visitor = open({});
const session = (await ask(visitor, SIGN_IN, { input: credentials })).data.signIn;
await visitor.dispose();
say("signedIn");

const client = open(() => ({ authorization: session.accessToken }));
say("query", (await ask(client, ME)).data);

const inbox = new Inbox();
client.subscribe(
  { query: ON_TASK },
  { next: (value) => inbox.put(value), error: (error) => inbox.put({ error }), complete() {} },
);
const create = async (title) =>
  (await ask(client, CREATE, { input: { title } })).data.createTask.id;
say("event", await untilHeard(create, inbox, "From graphql-ws"));

try {
  await ask(client, ON_MESSAGE, { room: "no-such-room" });
} catch (errors) {
  say("refusal", { code: errors[0].extensions.code });
}

await restart();
say("eventAfterRestart", await untilHeard(create, inbox, "After the restart"));
done();
