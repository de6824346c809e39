// Guildhall's table as a Node team would use it: AWS SDK v3, kept-alive connections, DataLoader.
import { Agent } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import DataLoader from "dataloader";

const TABLE = process.env.TABLE_NAME;
const MOST_IN_A_BATCH = 100;

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint: process.env.ENDPOINT_URL,
    region: process.env.AWS_REGION,
    requestHandler: { httpAgent: new Agent({ keepAlive: true, maxSockets: 128 }) },
    // Without `info`: for the silent logger it has otherwise, the SDK copies every answer.
    logger: { trace() {}, debug() {}, warn: console.warn, error: console.error },
  }),
);

const textOf = (key) => `${key.PK} ${key.SK}`;

async function read(keys) {
  if (keys.length === 1) {
    const answer = await client.send(
      new GetCommand({ TableName: TABLE, Key: keys[0], ConsistentRead: true }),
    );
    return [answer.Item];
  }
  const found = new Map();
  let wanted = keys;
  while (wanted?.length) {
    const answer = await client.send(
      new BatchGetCommand({ RequestItems: { [TABLE]: { Keys: wanted, ConsistentRead: true } } }),
    );
    for (const item of answer.Responses[TABLE] ?? []) found.set(textOf(item), item);
    wanted = answer.UnprocessedKeys?.[TABLE]?.Keys;
  }
  return keys.map((key) => found.get(textOf(key)));
}

/** One for each request: what its resolvers read in one moment is one BatchGetItem. */
export const loader = () =>
  new DataLoader(read, { cacheKeyFn: textOf, maxBatchSize: MOST_IN_A_BATCH });

/** Of the table, or of an index by its name. */
export async function list(pk, prefix, { index, limit, nextToken }) {
  const answer = await client.send(
    new QueryCommand({
      TableName: TABLE,
      KeyConditionExpression: `${index ?? ""}PK = :pk AND begins_with(${index ?? ""}SK, :prefix)`,
      ExpressionAttributeValues: { ":pk": pk, ":prefix": prefix },
      Limit: limit,
      ...(index ? { IndexName: index } : { ConsistentRead: true }),
      ...(nextToken && { ExclusiveStartKey: opened(nextToken) }),
    }),
  );
  return { items: answer.Items, nextToken: () => sealed(answer.LastEvaluatedKey) };
}

const sealed = (key) => (key ? Buffer.from(JSON.stringify(key)).toString("base64url") : null);
const opened = (token) => JSON.parse(Buffer.from(token, "base64url").toString());

/** Refused if somebody else changed the item first. */
export async function update(key, version, changes) {
  const values = { ...changes, version: version + 1, updatedAt: new Date().toISOString() };
  const names = Object.keys(values);
  const answer = await client.send(
    new UpdateCommand({
      TableName: TABLE,
      Key: key,
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
      ConditionExpression: "#version = :old",
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ":old": version,
        ...Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
      },
      ReturnValues: "ALL_NEW",
    }),
  );
  return answer.Attributes;
}
