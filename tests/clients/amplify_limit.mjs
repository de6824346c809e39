// One socket more than the server allows: Amplify tells the application why.
import { createClient } from "graphql-ws";
import { Inbox, ME, done, say, socketUrl } from "./steps.mjs";
import { client, token } from "./amplify_session.mjs";

const other = createClient({
  url: `${socketUrl}/graphql`,
  webSocketImpl: WebSocket,
  lazy: false,
  connectionParams: { authorization: token },
});
await other.iterate({ query: ME }).next();

const inbox = new Inbox();
client.models.Task.onCreate().subscribe({
  next: (item) => inbox.put({ item }),
  error: (error) => inbox.put({ error }),
});
const { error } = await inbox.next("what Amplify says");
say("refused", { text: JSON.stringify(error) });
done();
