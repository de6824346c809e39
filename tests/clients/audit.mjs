// Prints what graphql-http's audits of GraphQL over HTTP found, as JSON. Usage: node audit.mjs URL
import { serverAudits } from 'graphql-http';

const audits = serverAudits({ url: process.argv[2], fetchFn: fetch });
const results = [];
for (const audit of audits) {
  const { id, name, status, reason } = await audit.fn();
  results.push({ id, name, status, reason: reason ?? null });
}
console.log(JSON.stringify(results));
