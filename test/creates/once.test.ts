/** Whatever fails, and however often Zapier repeats a step: it's done once at most, and a success really happened. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nock from 'nock';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
import app from '../../src';
import { methods } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';
import { pathOf } from '../support/calls';
import { authData } from '../support/service';
import { testByDay, todaysShare } from '../support/share';
import { runStep } from '../support/zapier';
import { failedMessage, faults } from './once/faults';
import { type Quirks, Service } from './once/service';
import { isPossible, positions, type Step, type Story, tell, type World } from './once/story';

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

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] }));
afterEach(() => jest.useRealTimers());
afterAll(() => jest.restoreAllMocks());

/**
 * What is no fault of a step: "Call the API" returns what the service says, also when that is an error. A deletion needs no
 * record in the response, and has succeeded when there is none to delete.
 */
const accepted: Record<string, RegExp> = {
  api_request: /^(an error|an empty|a blank id)/,
  delete_contact: /^(an empty|a blank id|a 404 with an empty|a 410)/,
};

const faultsOf = ({ key }: Step) => [
  ...faults.filter(({ name }) => !accepted[key]?.test(name)),
  ...(key.startsWith('send_message') ? [failedMessage] : []),
];

const storiesOf = (step: Step): Story[] =>
  faultsOf(step).flatMap((fault) =>
    positions
      .filter((position) => isPossible(fault, position))
      .flatMap((position) =>
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

describe('with a service that keeps keys', () => {
  const world: World = { runStep, keepsKeys: true };

  test.each(sends)('%s happens once', async (_name, step) => {
    await expect(tellAll(world, todaysShare(shareOf(sends, step)))).resolves.toEqual([]);
  });

  test.each(changes)('%s happens once', async (_name, step) => {
    await expect(tellAll(world, todaysShare(shareOf(changes, step)))).resolves.toEqual([]);
  });
});

const replaysOf = (step: Step): Story[] =>
  storiesOf(step).filter(({ fault }) => fault.name === 'a reset after the service has acted');

test.each([...sends, createContact])('the stories of %s notice a service that ignores keys', async (_name, step) => {
  const told = await tellAll({ runStep, keepsKeys: true, quirks: { ignoresKeys: true } }, replaysOf(step));
  expect(told).toContainEqual(expect.stringMatching(/: does \w+ again$/));
});

const whole = z.object({ runStep: z.custom<typeof runStep>((value) => typeof value === 'function') });
const withForms = z.object({
  default: z.object({
    creates: z.record(z.string(), z.object({ operation: z.object({ inputFields: z.array(z.unknown()) }) })),
  }),
});

/** A copy of the app with another line in its contract. */
const copyApp = async (line: string, other: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'once-'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const part of [
    'package.json',
    'src',
    'triggers',
    'creates',
    'searches',
    'zapier',
    'cli',
    'playground/service/zapier.ts',
  ]) {
    cpSync(join(project, part), join(folder, part), { recursive: true });
  }
  const contract = join(folder, 'src/api/endpoints.ts');
  const text = readFileSync(contract, 'utf8');
  expect(text).toContain(line);
  writeFileSync(contract, text.replace(line, other));
  const zapier: unknown = await import(join(folder, 'playground/service/zapier'));
  const definition: unknown = await import(join(folder, 'src'));
  return { ...whole.parse(zapier), creates: withForms.parse(definition).default.creates, folder };
};

const byPut = { startsByPut: true };
const start = sends.filter(([name]) => name.startsWith('trigger_campaign'));

/** What the contract may say of keys, and the steps that it's about. */
const contracts: [what: string, line: string, other: string, quirks: Quirks, told: NamedStep[]][] = [
  [
    'ignores keys',
    'keepsIdempotencyKeys: boolean = true;',
    'keepsIdempotencyKeys: boolean = false;',
    { ignoresKeys: true },
    [...sends, createContact],
  ],
  ['starts campaigns by PUT', "triggerCampaign: endpoint('POST'", "triggerCampaign: endpoint('PUT'", byPut, start],
];

for (const [what, line, other, quirks, told] of todaysShare(contracts)) {
  describe(`with a service that ${what}, as the contract may say`, () => {
    let copy: Awaited<ReturnType<typeof copyApp>>;

    beforeAll(async () => {
      copy = await copyApp(line, other);
    });

    afterAll(() => rmSync(copy.folder, { recursive: true, force: true }));

    test.each(told)('%s happens once, and no POST is repeated', async (_name, step) => {
      const world = { runStep: copy.runStep, keepsKeys: false, quirks };
      const stories = storiesOf(step).filter((_, index) => index % 9 === 0);
      await expect(tellAll(world, todaysShare(stories))).resolves.toEqual([]);
    });

    test.each(told.filter(([, { takesKey }]) => takesKey))(
      '%s ignores a value of Send Only Once Per that is left from another contract',
      async (_name, { key, inputData }) => {
        const service = new Service(quirks);
        const reply = function (this: nock.ReplyFnContext, path: string, body: nock.Body) {
          return service.respond({ method: this.req.method, path: path.split('?', 1).join(), key: undefined, body });
        };
        const scope = nock(authData.base_url).persist();
        for (const method of methods) scope.intercept(/.*/, method).reply(reply);
        const step = copy.runStep(`creates.${key}.operation.perform`, {
          authData,
          inputData: { ...inputData, deduplication_key: 'null' },
        });
        await expect(step).resolves.toMatchObject({ already_sent: false });
        nock.cleanAll();
      },
    );

    test('only the forms of steps whose keys it keeps promise to send once', () => {
      const promise = expect.objectContaining({ key: 'deduplication_key' });
      for (const [, { key, takesKey = false }] of [...sends, createContact]) {
        const { inputFields } = copy.creates[key]?.operation ?? {};
        const keeps = takesKey && !told.some(([, step]) => step.key === key);
        expect(inputFields).toEqual(keeps ? expect.arrayContaining([promise]) : expect.not.arrayContaining([promise]));
      }
    });
  });
}

const withKeyOfPut = "triggerCampaign: endpoint('PUT', '/campaigns/{id}/trigger', {\n    keepsKeys: true,";

testByDay('a contract may say that a service keeps the keys of a PUT', async () => {
  const copy = await copyApp("triggerCampaign: endpoint('POST', '/campaigns/{id}/trigger', {", withKeyOfPut);
  const world = { runStep: copy.runStep, keepsKeys: true, quirks: byPut };
  for (const [, step] of start) {
    const stories = storiesOf(step).filter((_, index) => index % 20 === 0);
    await expect(tellAll(world, todaysShare(stories))).resolves.toEqual([]);
  }
  rmSync(copy.folder, { recursive: true, force: true });
});

test('a test in the editor never starts a campaign for its audience, whatever fails', async () => {
  const meta = { isLoadingSample: true };
  const asked: string[] = [];
  for (const { respond } of todaysShare(faults)) {
    for (const disturbed of [0, 1, 100]) {
      const service = new Service();
      let count = 0;
      const reply = async function (this: nock.ReplyFnContext, path: string, body: nock.Body) {
        const { method } = this.req;
        asked.push(`${method} ${path}`);
        const request = { method, path, key: undefined, body };
        count += 1;
        jest.advanceTimersByTime(1_000);
        return count > disturbed ? service.respond(request) : respond(service, request);
      };
      const scope = nock(authData.base_url).persist();
      for (const method of methods) scope.intercept(/.*/, method).reply(reply);
      const inputData = { ...campaign, deduplication_key: 'June' };
      const step = runStep('creates.trigger_campaign.operation.perform', { authData, inputData, meta });
      const [outcome] = await Promise.allSettled([step]);
      if (outcome.status === 'fulfilled') expect(outcome.value).toMatchObject({ status: 'test' });
      nock.cleanAll();
    }
  }
  expect(new Set(asked)).toEqual(new Set([`GET ${pathOf('getCampaign', { id: 'cmp_1' })}`]));
});
