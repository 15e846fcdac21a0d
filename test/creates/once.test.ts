/** Whatever fails, and however often Zapier repeats a step: it's done once at most, and a success really happened. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
import app from '../../src';
import { contact } from '../../src/api/resources';
import { runStep } from '../support/zapier';
import { faults } from './once/faults';
import { positions, type Step, type Story, tell, type World } from './once/story';

const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to };
const person = { phone: to, email: String(contact.sample.email) };
const campaign = { campaign: 'cmp_1', audience: 'saved', max_recipients: '1000000' };

type NamedStep = [name: string, step: Step];

/** The actions with Send Only Once Per, with each kind of request that they can make. */
const sends: NamedStep[] = [
  ['send_message', { key: 'send_message', takesKey: true, inputData: parcel }],
  ['send_message_and_wait', { key: 'send_message_and_wait', takesKey: true, inputData: parcel }],
  ['trigger_campaign', { key: 'trigger_campaign', takesKey: true, inputData: campaign }],
  [
    'trigger_campaign for one recipient',
    { key: 'trigger_campaign', takesKey: true, inputData: { campaign: 'cmp_1', audience: 'one', to } },
  ],
];

const createContact: NamedStep = ['create_contact', { key: 'create_contact', inputData: person }];

/** The other actions. */
const changes: NamedStep[] = [
  createContact,
  ['upsert_contact', { key: 'upsert_contact', inputData: person }],
  ['upsert_contact of a known person', { key: 'upsert_contact', inputData: person, quirks: { hasContact: true } }],
  ['update_contact', { key: 'update_contact', inputData: { contact: 'con_1', first_name: 'Noor' } }],
  ['delete_contact', { key: 'delete_contact', inputData: { contact: 'con_1' } }],
  [
    'api_request',
    { key: 'api_request', inputData: { method: 'POST', path: 'contacts', body: JSON.stringify(person) } },
  ],
];

test('every action of the app has its stories', () => {
  const told = [...sends, ...changes].map(([, { key }]) => key);
  expect([...new Set(told)].toSorted()).toEqual(Object.keys(app.creates).toSorted());
});

// Core ends a process of more than 450 MB. This one holds the service and the tests as well.
beforeAll(() => void jest.spyOn(process, 'memoryUsage').mockReturnValue({ ...process.memoryUsage(), rss: 0 }));
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] }));
afterEach(() => jest.useRealTimers());
afterAll(() => jest.restoreAllMocks());

/** API Request returns what the service says, also when that is an error. */
const faultsOf = ({ key }: Step) =>
  faults.filter(({ name }) => key !== 'api_request' || !name.startsWith('an error with 200'));

const storiesOf = (step: Step): Story[] =>
  faultsOf(step).flatMap((fault) =>
    positions.flatMap((position) =>
      (step.takesKey ? [false, true] : [false]).map((hasKey) => ({ step, fault, position, hasKey })),
    ),
  );

/** Tells stories, and lists those that go wrong. */
const tellAll = async (world: World, stories: Story[]): Promise<string[]> => {
  const failures: string[] = [];
  for (const story of stories) {
    const { fault, position, hasKey } = story;
    const problems = await tell(world, story);
    const title = `${fault.name}, at ${position.name}, ${hasKey ? 'with' : 'without'} Send Only Once Per`;
    failures.push(...problems.map((problem) => `${title}: ${problem}`));
  }
  return failures;
};

/** The share of a step in all stories. The steps of a list tell all of them together, and each step meets every fault. */
const shareOf = (steps: NamedStep[], step: Step): Story[] => {
  const first = steps.findIndex(([, each]) => each === step);
  return storiesOf(step).filter((_, index) => (index + Math.floor(index / 12)) % steps.length === first);
};

// A test tells hundreds of stories, each of which runs a step several times.
jest.setTimeout(60_000);

describe('with a service that keeps keys', () => {
  const world: World = { runStep, keepsKeys: true };

  test.each(sends)('%s happens once', async (_name, step) => {
    await expect(tellAll(world, shareOf(sends, step))).resolves.toEqual([]);
  });

  test.each(changes)('%s happens once', async (_name, step) => {
    await expect(tellAll(world, shareOf(changes, step))).resolves.toEqual([]);
  });
});

const replaysOf = (step: Step): Story[] =>
  storiesOf(step).filter(({ fault }) => fault.name === 'a reset after the service has acted');

test.each([...sends, createContact])('the stories of %s notice a service that ignores keys', async (_name, step) => {
  const told = await tellAll({ runStep, keepsKeys: true, quirks: { ignoresKeys: true } }, replaysOf(step));
  expect(told).toContainEqual(expect.stringMatching(/: does \w+ again$/));
});

describe('with a service that ignores keys, as the contract may say', () => {
  const zapier = z.object({ runStep: z.custom<typeof runStep>((value) => typeof value === 'function') });
  const folder = mkdtempSync(join(tmpdir(), 'once-'));
  let world: World;

  beforeAll(async () => {
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const part of [
      'package.json',
      'src',
      'triggers',
      'creates',
      'searches',
      'zapier',
      'cli',
      'test/support/zapier.ts',
    ]) {
      cpSync(join(project, part), join(folder, part), { recursive: true });
    }
    const contract = join(folder, 'src/api/endpoints.ts');
    const line = 'keepsIdempotencyKeys: boolean = true;';
    const text = readFileSync(contract, 'utf8');
    expect(text).toContain(line);
    writeFileSync(contract, text.replace(line, 'keepsIdempotencyKeys: boolean = false;'));
    const copy: unknown = await import(join(folder, 'test/support/zapier'));
    world = { runStep: zapier.parse(copy).runStep, keepsKeys: false, quirks: { ignoresKeys: true } };
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([...sends, createContact])('%s happens once, and no POST is repeated', async (_name, step) => {
    const stories = storiesOf(step).filter((_, index) => index % 5 === 0);
    await expect(tellAll(world, stories)).resolves.toEqual([]);
  });
});
