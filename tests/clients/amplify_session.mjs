// Amplify v6 from an amplify_outputs.json alone, signed in.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { Inbox, credentials } from "./steps.mjs";

const require = createRequire(import.meta.url);
const { Amplify } = require("aws-amplify");
const { generateClient } = require("aws-amplify/data");
const { Hub } = require("aws-amplify/utils");

export let token = "";
const getTokens = async () => ({ accessToken: { toString: () => token, payload: {} } });
Amplify.configure(JSON.parse(readFileSync(process.env.AMPLIFY_OUTPUTS)), {
  Auth: { tokenProvider: { getTokens } },
});
export const acks = new Inbox();
Hub.listen("api", ({ payload }) => {
  if (payload.event === "Subscription ack") acks.put(payload);
});
export const must = ({ data, errors }) => {
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
};

export const client = generateClient();
const session = must(await client.mutations.signIn({ input: credentials }, { authMode: "apiKey" }));
token = session.accessToken;
