// What the scripts of all clients share: they tell the test each step by a line of JSON.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

export const [url, token] = process.argv.slice(2);
export const socketUrl = url.replace(/^http/, "ws");

export const say = (step, more = {}) => console.log(JSON.stringify({ step, ...more }));

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const within = (promise, what, ms = 120_000) =>
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
  async nextOrNull(ms) {
    try {
      return await this.next("", ms);
    } catch {
      this.waiting.length = 0;
      return null;
    }
  }
}

// A client does not always say when it is connected, or connected again: so tasks of this title are
// made until one is heard of. `read` finds the task in what the subscription brings.
export const untilHeard = async (create, inbox, title, read = (event) => event.data?.onTaskChanged) => {
  const made = [];
  const until = Date.now() + 200_000;
  while (Date.now() < until) {
    await create(title).then(
      (id) => made.push(id),
      () => pause(300),
    );
    for (let event = await inbox.nextOrNull(1000); event; event = await inbox.nextOrNull(0)) {
      const task = read(event);
      if (task?.title === title && made.includes(task.id)) return task;
    }
  }
  throw new Error(`nothing was heard of ${title}`);
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
