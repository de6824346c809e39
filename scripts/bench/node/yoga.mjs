// GraphQL Yoga on Node's own HTTP server; it keeps parsed and validated documents by itself.
import { createServer } from "node:http";
import { createYoga } from "graphql-yoga";
import { contextOf, schema } from "./graph.mjs";

const yoga = createYoga({
  schema,
  context: ({ req }) => contextOf(req.headers),
  cors: false,
  graphiql: false,
  landingPage: false,
  logging: false,
  multipart: false,
});
createServer(yoga).listen(Number(process.env.PORT), "127.0.0.1");
