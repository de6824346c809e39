// Apollo with AppSync's own links: raw tokens over HTTP, AppSync's protocol on the socket.
import { createRequire } from "node:module";
import { inspect } from "node:util";
import {
  CREATE, Inbox, ME, ON_MESSAGE, ON_TASK, SIGN_IN, credentials, done, restart, say, untilHeard,
  url,
} from "./steps.mjs";

const require = createRequire(import.meta.url);
const { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } = require("@apollo/client");
const { createAuthLink } = require("aws-appsync-auth-link");
const { createSubscriptionHandshakeLink } = require("aws-appsync-subscription-link");

const endpoint = `${url}/graphql`;
const open = (auth) => {
  const settings = { url: endpoint, region: "us-east-1", auth };
  const http = new HttpLink({ uri: endpoint, enhancedClientAwareness: { transport: false } });
  return new ApolloClient({
    link: ApolloLink.from([
      createAuthLink(settings),
      createSubscriptionHandshakeLink(settings, http),
    ]),
    cache: new InMemoryCache(),
    defaultOptions: { query: { fetchPolicy: "no-cache" }, mutate: { fetchPolicy: "no-cache" } },
  });
};

const visitor = open({ type: "API_KEY", apiKey: "da2-guildhall-development" });
const signedIn = await visitor.mutate({ mutation: gql(SIGN_IN), variables: { input: credentials } });
const jwtToken = signedIn.data.signIn.accessToken;
say("signedIn");

const client = open({ type: "AMAZON_COGNITO_USER_POOLS", jwtToken: async () => jwtToken });
say("query", (await client.query({ query: gql(ME) })).data);

const listen = (query, variables) => {
  const inbox = new Inbox();
  client.subscribe({ query: gql(query), variables }).subscribe({
    next: (result) => inbox.put(result),
    error: (error) => inbox.put({ error }),
  });
  return inbox;
};
const create = async (title) => {
  const made = await client.mutate({ mutation: gql(CREATE), variables: { input: { title } } });
  return made.data.createTask.id;
};
const inbox = listen(ON_TASK);
say("event", await untilHeard(create, inbox, "From Apollo"));

const refused = await listen(ON_MESSAGE, { room: "no-such-room" }).next("a refusal");
const why = inspect(refused, { depth: 10 });
say("refusal", { code: why.includes("NOT_FOUND") ? "NOT_FOUND" : why });

await restart();
let broken;
do broken = await inbox.next("the end of the subscription");
while (!broken.error);
const again = listen(ON_TASK);
say("eventAfterRestart", await untilHeard(create, again, "After the restart"));
done();
