// Amplify's client.models: every operation, live ones included.
import { Inbox, done, say } from "./steps.mjs";
import { acks, client, must } from "./amplify_session.mjs";

const listen = async (observable, acknowledged = 1) => {
  const inbox = new Inbox();
  observable.subscribe({ next: (item) => inbox.put(item), error: (error) => inbox.put({ error }) });
  for (let n = 0; n < acknowledged; n += 1) await acks.next("an ack");
  return inbox;
};

const model = client.models[process.env.MODEL];
const fields = JSON.parse(process.env.FIELDS);
const [name] = Object.keys(fields);
const filter = { [name]: { beginsWith: "Wanted" } };

const created = await listen(model.onCreate({ filter }));
const updated = await listen(model.onUpdate());
const deleted = await listen(model.onDelete());
const before = must(await model.create({ ...fields, [name]: "Wanted before" }));
say("onCreate", await created.next("a creation"));

const observed = await listen(model.observeQuery({ filter }), 3);
const until = async (fits) => {
  for (;;) {
    const { items, error } = await observed.next("what is observed");
    if (error) throw error;
    if (fits(items)) return { names: items.map((each) => each[name]) };
  }
};
say("observedFirst", await until((items) => items.length === 1));

const made = must(await model.create({ ...fields, [name]: "Wanted" }));
await model.create({ ...fields, [name]: "Other" });
say("create", made);
say("observedCreate", await until((items) => items.length === 2));

say("get", must(await model.get({ id: made.id })));
say("getNothing", await model.get({ id: "no-such-id" }));
const pages = [];
let nextToken;
do {
  const page = await model.list({ filter, limit: 1, nextToken });
  pages.push(...must(page).map((each) => each[name]));
  nextToken = page.nextToken;
} while (nextToken);
say("list", { names: pages });
say("listAll", { names: must(await model.list()).map((each) => each[name]) });
say("selection", must(await model.list({ filter, selectionSet: ["id"] }))[0]);

// As applications do: the whole record again, with one field changed.
const changed = must(await model.update({ ...made, [name]: "Wanted, changed" }));
say("update", changed);
say("onUpdate", await updated.next("an update"));
say("observedUpdate", await until((items) => items.some((each) => each[name] === changed[name])));

say("delete", must(await model.delete({ id: made.id })));
say("onDelete", await deleted.next("a deletion"));
say("observedDelete", await until((items) => items.length === 1 && items[0].id === before.id));

const { data, errors } = await model.delete({ id: made.id });
say("refusal", { data, type: errors[0].errorType });
done();
