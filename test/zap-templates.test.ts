import { recipes } from '../playground/recipes';
import type { Example, Recipe, RecipeOutcome, ServiceEvent } from '../playground/recipes/recipe';
import { runSteps, startRecipe } from '../playground/run-recipe';
import { applyEvent, listContacts, listSentByApi, passTime } from '../playground/service-events';
import { startZapier } from '../playground/zapier';
import { replaceReferences } from '../playground/zaps/references';
import { currentApp, stepsOf } from '../scripts/docs/definition';
import { brand } from '../src/brand';
import { startSeeded } from './sandbox/seeded';

/** Runs an example in a new sandbox, then replays the run. `contacts` is what the replay leaves. */
const runExample = async (recipe: Recipe, { before = [], meanwhile = [], outcome }: Example) => {
  const sandbox = await startSeeded();
  const service = { url: sandbox.url, token: sandbox.tokens.advanced };
  const zapier = await startZapier({ base_url: service.url, api_token: service.token });
  const applyAll = async (events: ServiceEvent[]): Promise<unknown> => {
    let record: unknown;
    for (const event of events) record = await applyEvent(service, event);
    return record;
  };
  const wait = async (hours: number) => {
    await applyAll(meanwhile);
    return passTime(service, hours * 3600);
  };
  try {
    const first = await startRecipe(recipe, zapier, () => applyAll(before));
    const earlier = new Set((await listSentByApi(service)).map(({ id }) => id));
    const listSent = async () => {
      const messages = await listSentByApi(service);
      return messages.filter(({ id }) => !earlier.has(id)).toReversed();
    };
    const received = await runSteps(recipe, first, { zapier, wait, nextReply: () => applyAll(meanwhile) });
    const sent = await listSent();
    await runSteps(recipe, first, { zapier, wait: async () => null, nextReply: async () => undefined });
    const phones = (outcome.contacts ?? []).map(({ phone }) => phone);
    const contacts = await Promise.all(phones.map((phone) => listContacts(service, phone)));
    return { received, sent, sentAfterReplay: await listSent(), contacts: contacts.flat() };
  } finally {
    await zapier.stop();
    await sandbox.stop();
  }
};

const toExpected = ({ sent = [], contacts = [], received = [] }: RecipeOutcome) => ({
  sent,
  sentAfterReplay: sent,
  contacts,
  received: received.map(({ app, fields }) => ({
    app,
    fields: Object.fromEntries(Object.entries(fields).map(([label, text]) => [label, expect.stringContaining(text)])),
  })),
});

const examples = recipes.flatMap((recipe) =>
  recipe.examples.map((example) => ({ title: recipe.title, name: example.name, recipe, example })),
);

test.each(examples)('$title: $name', async ({ recipe, example }) => {
  expect(await runExample(recipe, example)).toMatchObject(toExpected(example.outcome));
});

const placesOf = ({ steps }: Recipe): string[] => steps.flatMap((step) => ('place' in step ? step.place : []));

test('no template that starts in the service sends a message or adds a contact, so none starts itself', () => {
  const looping = recipes
    .map(placesOf)
    .filter(
      ([first = '', ...others]) =>
        first.startsWith('triggers.') && others.some((place) => /send|campaign|create_contact|upsert/.test(place)),
    );
  expect(looping).toEqual([]);
});

test.each(recipes)('$title: the title names every app', ({ title, steps }) => {
  const apps = steps.flatMap((step) => ('app' in step && !step.app.endsWith(' by Zapier') ? step.app : []));
  expect(apps.filter((app) => !title.includes(app))).toEqual([]);
  expect(title).toContain(brand.name);
});

/** Lists the mappings of a template from steps of this app, as the output fields that they need. */
const neededOutputs = ({ steps }: Recipe): string[] => {
  const needed: string[] = [];
  replaceReferences(JSON.stringify(steps), (number, path) => {
    const step = steps[number - 1];
    if (step && 'place' in step) needed.push(`${step.place} ${path.replaceAll('.', '__')}`);
    return '';
  });
  return needed;
};

const declaredOutputs = stepsOf(currentApp).flatMap(({ place, step }) =>
  (step.operation.outputFields ?? []).map(({ key }) => `${place} ${key}`),
);

test('every mapping from a step of this app is one of its output fields', () => {
  const needed = recipes.flatMap(neededOutputs);
  expect(needed.length).toBeGreaterThan(20);
  expect(needed.filter((output) => !declaredOutputs.includes(output))).toEqual([]);
});
