// A front end in TypeScript, as Amplify's guide writes one: compiled with --strict, then run.
import { Amplify } from 'aws-amplify';
import { generateClient } from 'aws-amplify/data';
import { Hub } from 'aws-amplify/utils';
import outputs from './amplify_outputs.json' with { type: 'json' };
import type { Schema } from './schema.ts';

declare const process: { argv: string[]; exit(code: number): never };

type Task = Schema['Task']['type'];
type Status = Schema['TaskStatus']['type'];

let token = '';
Amplify.configure(outputs, {
  Auth: {
    tokenProvider: {
      getTokens: async () => ({ accessToken: { toString: () => token, payload: {} } }),
    },
  },
});
const client = generateClient<Schema>();
const say = (step: string, more: object) => console.log(JSON.stringify({ step, ...more }));
const acknowledged = (count: number) =>
  new Promise<void>((resolve) => {
    let left = count;
    Hub.listen('api', ({ payload }) => {
      if (payload.event === 'Subscription ack' && --left === 0) resolve();
    });
  });

function must<T>({ data, errors }: { data: T; errors?: unknown }): NonNullable<T> {
  if (errors || data === null || data === undefined) throw new Error(JSON.stringify(errors));
  return data;
}

const input: Schema['SignInInput']['type'] = JSON.parse(process.argv[3]);
token = must(await client.mutations.signIn({ input }, { authMode: 'apiKey' })).accessToken;

const ready = acknowledged(2);
const created = new Promise<Task>((resolve) =>
  client.models.Task.onCreate({ filter: { title: { eq: 'Typed' } } }).subscribe({ next: resolve }),
);
const changed = new Promise<string>((resolve) =>
  client.subscriptions.onTaskChanged({}).subscribe({ next: ({ title }) => resolve(title) }),
);
await ready;

const task = must(
  await client.models.Task.create({ title: 'Typed', dueDate: '2031-05-02', priority: 'P1' }),
);
const status: Status = task.status;
const points: number = task.pointValue;
say('create', { title: task.title, status, points });
say('onCreate', { same: (await created).id === task.id });
say('onTaskChanged', { title: await changed });

const page = await client.models.Task.list({
  filter: { and: [{ title: { beginsWith: 'Ty' } }, { not: { priority: { eq: 'P4' } } }] },
  limit: 5,
});
const titles: string[] = page.data.map((each) => each.title);
say('list', { titles, nextToken: page.nextToken ?? null });

const indexed = await client.models.Task.listTaskByStatusAndDueDate(
  { status: 'NotStarted', dueDate: { between: ['2031-05-01', '2031-05-31'] } },
  { sortDirection: 'DESC', filter: { done: { eq: false }, urgency: { ge: 0 } }, limit: 1000 },
);
say('index', { titles: indexed.data.map(({ title }) => title), errors: indexed.errors ?? null });

const selected = await client.models.Task.get(
  { id: task.id },
  { selectionSet: ['title', 'recurrenceRule.frequency'] },
);
const frequency: Schema['RecurrenceFrequency']['type'] | undefined =
  selected.data?.recurrenceRule?.frequency;
say('selection', { data: selected.data, frequency: frequency ?? null });

const updated = must(
  await client.models.Task.update({ id: task.id, notes: 'n', expectedVersion: task.version }),
);
say('update', { notes: updated.notes, version: updated.version - task.version });

const goal = must(await client.models.Goal.create({ title: 'Whole' }));
const part = must(await client.models.Goal.create({ title: 'Part', parentGoalId: goal.id }));
const linked = must(await client.models.Task.create({ title: 'Linked', goalIds: [part.id] }));
const lazyTasks = must(await part.tasks({ limit: 10 })).map(({ title }) => title);
const lazyGoal: string | undefined = (await linked.goal()).data?.title;
const lazyParent = (await part.parent()).data?.title;
const lazyChildren = must(await goal.children()).map(({ title }) => title);
say('lazy', { lazyTasks, lazyGoal, lazyParent, lazyChildren });
const nested = must(
  await client.models.Goal.list({
    filter: { title: { eq: 'Part' } },
    selectionSet: ['title', 'parent.title', 'tasks.title'],
  }),
);
const inner: string = nested[0].tasks[0].title;
const upwards = await client.models.Task.get(
  { id: linked.id },
  { selectionSet: ['goal.id', 'goal.parent.title'] },
);
say('nested', { found: nested, inner, same: upwards.data?.goal.id === part.id });
const renamed = must(await client.models.Goal.update({ ...part, title: 'Part, renamed' }));
say('updateKeepsItsParent', { same: renamed.parentGoalId === goal.id });

const metric = must(await client.models.Metric.create({ name: 'Weight', targetValue: '71.5' }));
const target: string | null | undefined = metric.targetValue;
say('decimal', { target });

const tasks = must(await client.queries.tasks({ orderBy: 'CREATED', limit: 5 }));
say('query', { titles: tasks.items.map(({ title }) => title) });
const completed = must(await client.mutations.completeTask({ input: { id: task.id } }));
say('mutation', { status: completed.status });
const deleted = must(await client.models.Task.delete({ id: task.id }));
say('delete', { same: deleted.id === task.id });
process.exit(0);

// Never run: what the types must refuse. A line that became valid would be an error itself.
export async function refused() {
  // @ts-expect-error a task has no name
  await client.models.Task.create({ name: 'Typed' });
  // @ts-expect-error a task needs a title
  await client.models.Task.create({ notes: 'n' });
  // @ts-expect-error no such status
  await client.models.Task.update({ id: '1', status: 'Finished' });
  // @ts-expect-error computed by the server
  await client.models.Task.update({ id: '1', pointsAwarded: true });
  // @ts-expect-error no such field of a relation
  await client.models.Goal.list({ selectionSet: ['tasks.name'] });
  // @ts-expect-error no such field
  await client.models.Task.list({ selectionSet: ['name'] });
  // @ts-expect-error an index needs its first field
  await client.models.Task.listTaskByStatusAndDueDate({ dueDate: { eq: '2031-05-02' } });
  // @ts-expect-error no such argument
  await client.queries.tasks({ first: 5 });
  // @ts-expect-error no such model
  await client.models.Taks.list();
}
