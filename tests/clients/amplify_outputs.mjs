// The client writes its own documents.
import { Inbox, done, say } from "./steps.mjs";
import { acks, client, must } from "./amplify_session.mjs";

const inbox = new Inbox();
client.subscriptions.onTaskChanged({}).subscribe({
  next: (task) => inbox.put(task),
  error: (error) => inbox.put({ error }),
});
await acks.next("an ack");
const task = must(await client.mutations.createTask({ input: { title: "By the outputs" } }));
say("mutation", task);
say("event", await inbox.next("an event"));
say("query", must(await client.queries.tasks({ limit: 5 })));
done();
