// What the scripts of all clients share: they tell the test each step by a line of JSON.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

export const [url, token] = process.argv.slice(2);
export const socketUrl = url.replace(/^http/, "ws");

export const say = (step, more = {}) => console.log(JSON.stringify({ step, ...more }));

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const within = (promise, what, ms = 30_000) =>
  Promise.race([
    promise,
    pause(ms).then(() => {
      throw new Error(`waited too long for ${what}`);
    }),
  ]);

// The test restarts the server and says so.
export const restart = async () => {
  say("restart");
  await lines.next();
};

// What a subscription brings, one after the other.
export class Inbox {
  constructor() {
    this.items = [];
    this.waiting = [];
  }
  put(item) {
    const next = this.waiting.shift();
    if (next) next(item);
    else this.items.push(item);
  }
  next(what, ms) {
    if (this.items.length) return Promise.resolve(this.items.shift());
    return within(new Promise((resolve) => this.waiting.push(resolve)), what, ms);
  }
}

// The client finds its way back at its own pace: so it is told again until it hears.
export const untilHeard = async (create, inbox) => {
  for (let tries = 0; tries < 100; tries += 1) {
    await create("After the restart").catch(() => {});
    try {
      return await inbox.next("an event after the restart", 1000);
    } catch {
      inbox.waiting.length = 0;
    }
  }
  throw new Error("nothing was heard after the restart");
};

export const done = () => {
  say("done");
  process.exit(0);
};

export const SIGN_IN =
  "mutation SignIn($input: SignInInput!) { signIn(input: $input) { accessToken user { id } } }";
export const ME = "query Me { me { id nickname } }";
export const CREATE = "mutation Create($input: CreateTaskInput!) { createTask(input: $input) { id } }";
export const ON_TASK = "subscription OnTask { onTaskChanged { id title status urgency } }";
export const ON_MESSAGE =
  "subscription OnMessage($room: ID!) { onMessageSent(roomId: $room) { text } }";
export const credentials = JSON.parse(token);
