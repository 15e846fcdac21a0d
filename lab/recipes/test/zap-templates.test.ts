import fc from 'fast-check';
import { currentApp } from '../../../scripts/docs/definition';
import { endpoints } from '../../../src/api/endpoints';
import type { Message } from '../../../src/api/resources';
import { brand } from '../../../src/brand';
import { skipPauses } from '../../../test/support/pauses';
import { definition } from '../../../test/support/zapier';
import { applyEvent, listContacts } from '../../playground/service/events';
import { addRecipe, newestZap } from '../../playground/service/new-zaps';
import { startParts } from '../../playground/test/playground-parts';
import { callApi } from '../../sandbox/client';
import { plainFields, visibleStepsOf } from '../../zapier/core/app-definition';
import { findUnknownOutput, toSource } from '../../zapier/editor/problems';
import { kindOf } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { exampleOf, titleOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { recipes } from '..';
import { moveDates, timeZone } from '../dates';
import { type Example, type Recipe, stepsOf } from '../recipe';

// A slow machine mustn't make the app give up its cache, since then it starts a run too many.
skipPauses();

// Nothing happens by itself: the clock stands still, and a trigger is polled when `settle` says so.
beforeAll(() => {
  const real = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
  jest.useFakeTimers({ doNotFake: [...real] });
});
afterAll(() => void jest.useRealTimers());

type Playground = Awaited<ReturnType<typeof startParts>>['parts'];

/** Waits until no run goes on, and what the service has to deliver or to list has arrived. A run may wait. */
const settle = async ({ settled }: Playground): Promise<void> => {
  jest.runOnlyPendingTimers();
  await settled();
};

/** Lets the delay at which a run waits pass. Also without one, everything that the service has to deliver by now arrives. */
const passDelay = async (playground: Playground): Promise<void> => {
  const { simulation, clock, runs } = playground;
  const due = runs.list().flatMap(({ pause }) => (pause?.until === 'time' ? [pause.dueAt ?? 0] : []));
  await simulation.advance(Math.max(0, ...due.map((at) => Math.ceil((at - clock.now()) / 1000))));
  await settle(playground);
};

/** How many delays of a recipe pass before what happens meanwhile. */
const countDelaysBefore = ({ steps }: Recipe): number =>
  Math.max(0, steps.filter(({ type }) => type === 'delay').length - 1);

/** Turns on the Zap of a recipe, and lets an example of it happen until its run ends or waits for a reply. */
const runZap = async (playground: Playground, recipe: Recipe, { before = [], meanwhile = [] }: Example) => {
  const { zaps, subscriptions, runner } = playground;
  await addRecipe(playground, recipes.indexOf(recipe));
  const zap = newestZap(zaps);
  const [trigger] = zap.steps;
  await subscriptions.turnOn(zap);
  for (const event of before) await applyEvent(playground, event);
  if (trigger?.type === 'other') await runner.startWith(zap, 'live', exampleOf(definition, trigger));
  await settle(playground);
  for (let passed = 0; passed < countDelaysBefore(recipe); passed += 1) await passDelay(playground);
  for (const event of meanwhile) await applyEvent(playground, event);
  await settle(playground);
  await passDelay(playground);
};

/** What the actions of other apps received, in order. */
const listReceived = ({ steps: [, ...actions] }: Zap, { steps: [, ...results] }: Run) =>
  actions.flatMap((action, index) => {
    const { status, input: fields } = results[index] ?? {};
    return action.type === 'other' && status === 'success' ? { app: action.app, fields } : [];
  });

/** Lists the newest messages that were sent through the API, more than an example sends, oldest first. */
const listSent = async ({ service }: Playground) => {
  const query = { direction: 'outbound', limit: 15 };
  const { data } = await callApi(service.account, endpoints.listMessages, { query });
  return data.filter(({ source }) => source === 'api').toReversed();
};

/** Runs an example in a new playground, then replays the run. `contacts` is what the replay leaves. */
const runExample = async (recipe: Recipe, example: Example) => {
  const { parts: playground, stop } = await startParts();
  const { zaps, runs, service, runner } = playground;
  try {
    const now = playground.clock.now();
    // The service tells whole seconds, and what it had before is older than half an hour.
    const isNew = ({ created_at }: Message) => Date.parse(created_at ?? '') > now - 1000;
    const listNew = async () => (await listSent(playground)).filter(isNew);
    await runZap(playground, recipe, example);
    const [done, sent] = [[...runs.list()], await listNew()];
    for (const run of done) await runner.replay(run);
    await passDelay(playground);
    const perRun = done
      .filter(({ zapId }) => zapId === newestZap(zaps).id)
      .toReversed()
      .map((run) => listReceived(newestZap(zaps), run));
    // A loop has a run for each item.
    const received = recipe.steps.some(({ type }) => type === 'loop') ? [perRun.flat()] : perRun;
    const failures = runs.list().flatMap(({ steps }) => steps.flatMap(({ failure }) => failure?.message ?? []));
    const phones = (example.outcome.contacts ?? []).map(({ phone }) => phone);
    const contacts = await Promise.all(phones.map((phone) => listContacts(service.account, phone)));
    return {
      now,
      failures: [...new Set(failures)],
      received,
      sent,
      sentAfterReplay: await listNew(),
      contacts: contacts.flat(),
    };
  } finally {
    await stop();
  }
};

/** A text that contains the others, each in a line after the one before. */
const containing = (texts: readonly string[]) =>
  expect.stringMatching(texts.map((text) => text.replace(/\W/g, '\\$&')).join('.*\\n[^]*'));

const daysLater = /\w+day, June (\d+)/g;

/** What an example says, on the day of the test. */
const today = (text: string, now: number): string =>
  text.replace(daysLater, (_, day: string) =>
    new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
      Date.parse(moveDates(`2026-06-${day}`, now)),
    ),
  );

/** An example leads to one run without failures but the one that it names, and sends nothing but what it says. */
const toExpected = ({ before = [], outcome }: Example, now: number) => {
  const { halted, contacts = [], received = [], sent = [], runs = 1 } = outcome;
  const sentBefore = before.flatMap((event) => (event.type === 'message is sent' ? { to: event.message.to } : []));
  const all = [...sentBefore, ...sent.map(({ to, text }) => ({ to, text: today(text, now) }))];
  const contain = (fields: Record<string, string | readonly string[]>) =>
    Object.fromEntries(
      Object.entries(fields).map(([label, texts]) => [
        label,
        containing([texts].flat().map((text) => today(text, now))),
      ]),
    );
  return {
    failures: halted ? [halted] : [],
    sent: all,
    sentAfterReplay: all,
    contacts,
    received: Array(runs).fill(received.map(({ app, fields }) => ({ app, fields: contain(fields) }))),
  };
};

test('a date of an example is as far from any day as from its own, at the same hour, also when clocks change', () => {
  const shown = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const date = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, fc.integer({ min: 10, max: 30 }), (now, day) => {
      const [today = ''] = shown.format(now).split(' ');
      const then = new Date(Date.parse(today) + (day - 11) * 86_400_000).toISOString().slice(0, 10);
      const moved = moveDates(`2026-06-${day}T14:30:00-04:00 2026-06-${day}`, now.getTime()).split(' ');
      expect([shown.format(new Date(moved[0] ?? '')), moved[1]]).toEqual([`${then} 14:30`, then]);
    }),
    {
      examples: ['2027-03-14T06:59Z', '2026-11-01T05:30Z', '2028-02-29T12:00Z', '2027-01-01T04:59Z'].map((at) => [
        new Date(at),
        12,
      ]),
    },
  );
});

const examples = recipes.flatMap((recipe) =>
  recipe.examples.map((example) => ({ title: recipe.title, name: example.name, recipe, example })),
);

test.each(examples)('$title: $name', async ({ recipe, example }) => {
  const { now, ...came } = await runExample(recipe, example);
  expect(came).toMatchObject(toExpected(example, now));
});

const operationsOf = ({ steps }: Recipe): string[] =>
  steps.flatMap((step) => (step.type === 'app' ? step.operation : []));

/** Only a customer can write a message that comes in, and a message that is sent completes no campaign. */
const startsItself = ([first = '', ...others]: string[]): boolean =>
  first.startsWith('triggers.') &&
  first !== 'triggers.message_received' &&
  others.some((path) =>
    (first.startsWith('triggers.campaign') ? /start_campaign/ : /send|campaign|create_contact|upsert/).test(path),
  );

test('no template starts itself by sending a message or adding a contact', () => {
  expect(recipes.map(operationsOf).filter(startsItself)).toEqual([]);
});

/** Whether a recipe goes on only with people who have a number, before it sends to one that a step of the app found. */
const asksForNumber = ({ steps }: Recipe): boolean =>
  steps.every((step, at) => {
    const to = step.type === 'app' ? String(step.values?.to ?? '') : '';
    const [, source] = /^\{\{(\d+)\./.exec(to) ?? [];
    if (!source || steps[Number(source) - 1]?.type !== 'app') return true;
    const before = steps.slice(0, at).flatMap((each) => ('rules' in each ? each.rules : []));
    return before.some(
      ({ value, condition }) => value === `{{${source}.has_phone_number}}` && condition === '(Boolean) Is true',
    );
  });

test('every template that writes to somebody whom the service names asks first whether the person has a number', () => {
  const answering = recipes.filter((recipe) =>
    operationsOf(recipe)
      .join(' ')
      .match(/message_received .*send/),
  );
  expect(answering).not.toEqual([]);
  expect(recipes.filter((recipe) => !asksForNumber(recipe)).map(({ title }) => title)).toEqual([]);
});

test.each(recipes)('$title: the title names every app', ({ title, steps }) => {
  const apps = steps.flatMap((step) => (step.type === 'other' && !step.app.endsWith(' by Zapier') ? step.app : []));
  expect(apps.filter((app) => !title.includes(app))).toEqual([]);
  expect(title).toContain(brand.name);
});

test.each(recipes)('$title: every mapping is data that an earlier step gives', (recipe) => {
  const steps = stepsOf(recipe);
  const problems = steps.map((step, index) =>
    findUnknownOutput(
      definition,
      titleOf(definition, step),
      JSON.stringify(step),
      steps.slice(0, index).map((each) => toSource(definition, each)),
    ),
  );
  expect(problems.filter(Boolean)).toEqual([]);
});

/** What Zapier's rules for templates don't allow. */
const forbiddenApps = ['Paths', 'Code', 'Webhooks', 'Looping', 'Formatter'].map((app) => `${app} by Zapier`);

const breaksRules = (recipe: Recipe): boolean =>
  stepsOf(recipe).some((step) => forbiddenApps.includes(kindOf(step).named(step, definition).app ?? ''));

test.each(recipes)("$title: is no template exactly if it breaks Zapier's rules for them", (recipe) => {
  expect(Boolean(recipe.notATemplate)).toBe(breaksRules(recipe));
});

const templates = recipes.filter(({ notATemplate }) => !notATemplate);

test.each(templates)('$title: the title says "new", unless a schedule starts it', ({ title, steps }) => {
  const [trigger] = steps;
  const isScheduled = trigger.type === 'other' && trigger.app === 'Schedule by Zapier';
  expect(/\bnew\b/.test(title)).toBe(!isScheduled);
});

test.each(templates)('$title: prefills only fields that every form of the step has', ({ steps }) => {
  const ofApp = steps.filter((step) => step.type === 'app');
  const unknown = ofApp.flatMap((step) => {
    const form = visibleStepsOf(currentApp).find(({ place }) => place === step.operation);
    const keys = form ? plainFields(form.step).map(({ key }) => key) : [];
    return Object.keys(step.values ?? {}).filter((key) => !keys.includes(key));
  });
  expect(unknown).toEqual([]);
});
