// urql: HTTP by its own exchange, subscriptions through graphql-ws.
import { Client, fetchExchange, subscriptionExchange } from "@urql/core";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import {
  CREATE, Inbox, ME, ON_MESSAGE, ON_TASK, SIGN_IN, credentials, done, pause, restart, say,
  socketUrl, untilHeard, url,
} from "./steps.mjs";

let authorization;
const sockets = createClient({
  url: `${socketUrl}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: () => ({ authorization }),
  retryAttempts: 200,
  retryWait: () => pause(300),
  shouldRetry: () => true,
});
const client = new Client({
  url: `${url}/graphql`,
  preferGetMethod: false,
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: (request) => ({
        subscribe: (sink) => ({
          unsubscribe: sockets.subscribe({ ...request, query: request.query || "" }, sink),
        }),
      }),
    }),
  ],
  fetchOptions: () => ({ headers: authorization ? { authorization } : {} }),
});
const must = ({ data, error }) => {
  if (error) throw error;
  return data;
};

authorization = must(await client.mutation(SIGN_IN, { input: credentials })).signIn.accessToken;
say("signedIn");
say("query", must(await client.query(ME, {})));

const inbox = new Inbox();
client.subscription(ON_TASK, {}).subscribe((result) => inbox.put(result));
const create = async (title) =>
  must(await client.mutation(CREATE, { input: { title } })).createTask.id;
say("event", await untilHeard(create, inbox, "From urql"));

const refused = new Inbox();
client
  .subscription(ON_MESSAGE, { room: "no-such-room" })
  .subscribe((result) => result.error && refused.put(result));
const { error } = await refused.next("a refusal");
say("refusal", { code: error.graphQLErrors[0].extensions.code });

await restart();
say("eventAfterRestart", await untilHeard(create, inbox, "After the restart"));
done();
