// Apollo Server 5 on Fastify; it keeps parsed and validated documents by itself.
import { ApolloServer } from "@apollo/server";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import fastify from "fastify";
import { contextOf, schema } from "./graph.mjs";

const apollo = new ApolloServer({ schema, introspection: false });
await apollo.start();

const app = fastify();
app.post("/graphql", fastifyApolloHandler(apollo, { context: async ({ headers }) => contextOf(headers) }));
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
