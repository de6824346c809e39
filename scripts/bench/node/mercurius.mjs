// Mercurius on Fastify; every query is compiled when it comes for the second time.
import fastify from "fastify";
import mercurius from "mercurius";
import { contextOf, schema } from "./graph.mjs";

const app = fastify();
app.register(mercurius, { schema, jit: 1, context: ({ headers }) => contextOf(headers) });
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
