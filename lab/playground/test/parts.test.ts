/** Single parts of the page, and what it says that a step would send, beside what the same step then sends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import * as z from 'zod/mini';
import app from '../../../src';
import { endpoints, headers } from '../../../src/api/endpoints';
import { fictionalNumber } from '../../../test/support/running';
import { recipes } from '../../recipes';
import { type Recipe, stepsOf } from '../../recipes/recipe';
import { callApi } from '../../sandbox/client';
import type { ApiRequest, StepResult } from '../../zapier/core/result';
import { stateOf } from '../../zapier/editor/step-state';
import { parseForm } from '../../zapier/fields/form';
import { outputsOf } from '../../zapier/fields/mapping';
import { type AppStep, newStep, stepAlone, tools, toStep } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { Zaps } from '../../zapier/zap/kept-zaps';
import { asApp, exampleOf } from '../../zapier/zap/steps';
import { type Zap, zap as zapSchema } from '../../zapier/zap/zap';
import { Additions } from '../page/canvas/add-step';
import { paintBars } from '../page/canvas/canvas';
import { Card } from '../page/canvas/card';
import { Sprite } from '../page/elements/icon';
import { FieldsForm } from '../page/panel/fields-form';
import { PreviewBubble } from '../page/phone/preview-bubble';
import { setConsent } from '../service/events';
import { previewStep, type StepPreview } from '../service/message-preview';
import { orderOutputs } from '../service/order-outputs';
import { cellsOf, composeRecord, describeAdded, exampleIn, otherTrigger } from '../service/other-records';
import { readTable } from '../service/other-windows';
import { messagesIn } from '../service/sent-messages';
import { Store } from '../service/store';
import { type Beat, listStories } from '../service/stories';
import { readParts } from '../service/whole-message';
import { definition } from '../service/zapier';
import { textOf } from './playground-client';
import { type Assembled, startParts } from './playground-parts';

describe('the canvas', () => {
  test('the bar of a fork is painted from its middle to each path that a run took, and no further', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 10 }), (taken) => {
        const middle = (taken.length - 1) / 2;
        const isBetween = (place: number, path: number) => (place - path) * (place - middle) < 0;
        const isPainted = (place: number) => taken.some((isTaken, path) => isTaken && isBetween(place, path));
        const expected = taken.map((_, path) => ({ left: isPainted(path - 0.25), right: isPainted(path + 0.25) }));
        expect(paintBars(taken)).toEqual(expected);
      }),
    );
  });

  test('a run that took the second of three paths paints no bar, since the path lies below the middle', () => {
    const none = { left: false, right: false };
    expect(paintBars([false, true, false])).toEqual([none, none, none]);
    expect(paintBars([true, false, false])).toEqual([{ left: false, right: true }, { left: true, right: false }, none]);
  });
});

describe('kinds of steps', () => {
  const styles = readFileSync('lab/playground/page/styles/apps.css', 'utf8');
  const sprite = Sprite().toString();

  test.each(tools.map((tool) => [tool.title, tool] as const))(
    '%s has its own icon and color, and is listed',
    (_, tool) => {
      const step = newStep(tool.type, 'step-1');
      const zap = { id: 'zap-1', title: 'Zap 1', steps: [step], isOn: false, seen: [] };
      const card = Card({ zap, step, at: 1, isOpen: false, state: { status: 'tested' }, result: undefined }).toString();
      expect(card).toContain(`<span class="tile tool ${tool.hue}"`);
      expect(card).toContain(`href="#icon-${tool.icon}"`);
      expect(styles).toContain(`.tile.${tool.hue} {`);
      expect(sprite).toContain(`id="icon-${tool.icon}"`);
      expect(Additions({ zap, at: 1, isChange: false }).toString()).toContain(`${tool.title} `);
    },
  );
});

describe('the form of a step', () => {
  const plainField = z.object({
    label: z.string(),
    required: z.optional(z.boolean()),
    helpText: z.optional(z.string()),
  });
  const declared = z.record(z.string(), z.object({ operation: z.object({ inputFields: z.array(z.unknown()) }) }));
  const operations = declared.parse({ ...app.triggers, ...app.creates, ...app.searches });
  const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

  test.each(definition.operations)('of $label has the labels, required marks and help texts of the app', ({ path }) => {
    const fields = (operations[path.split('.')[1] ?? '']?.operation.inputFields ?? []).filter(
      (each) => plainField.safeParse(each).success,
    );
    const step = { ...newStep(path, 'step-1'), form: parseForm({}, fields, false) };
    const html = FieldsForm({ step, index: 1, address: '', problems: {}, previews: {} }).toString();
    const shown = withoutSpaces(textOf(html));
    for (const { label, required, helpText = '' } of z.array(plainField).parse(fields)) {
      expect(shown).toContain(withoutSpaces(`${label}${required ? ' required' : ''}`));
      // The page renders the Markdown of a help text.
      expect(shown).toContain(withoutSpaces(helpText.replaceAll(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1')));
    }
  });
});

describe('results', () => {
  test('a sent message begins with its text, its status and the person, and ends with ids', () => {
    const outputs = outputsOf(definition.find('creates.send_message')?.sample);
    const paths = orderOutputs(outputs).map(({ path }) => path);
    expect(paths.slice(0, 5)).toEqual(['text', 'status', 'already_sent', 'contact.phone', 'contact.username']);
    expect(paths.toSorted()).toEqual(outputs.map(({ path }) => path).toSorted());
    const firstId = paths.findIndex((path) => /(^|_|\.)(id|url)$/.test(path));
    expect(paths.slice(firstId).every((path) => /(^|_|\.)(id|url)$/.test(path))).toBe(true);
  });
});

describe('records of other apps', () => {
  const zaps = recipes.map((recipe) => ({
    id: 'zap-1',
    title: recipe.title,
    steps: stepsOf(recipe).map((step, at) => ({ ...step, id: `step-${at}` })),
    isOn: true,
    seen: [],
  }));

  test('each further record of every recipe is of another person', async () => {
    const { parts, stop } = await startParts();
    try {
      const people = recipes.flatMap((recipe) => {
        const zap = parts.zaps.add(stepsOf(recipe));
        const trigger = otherTrigger(zap);
        if (!trigger) return [];
        const texts = [1, 2].map(() => {
          const { columns, start } = readTable(parts, zap, trigger);
          const next = start?.next ?? [];
          const record = composeRecord(parts.otherRecords, zap, trigger, columns, next);
          parts.otherRecords.add({ id: crypto.randomUUID(), step: trigger.id, at: '2026-06-11T09:40:12Z', record });
          expect(next).toEqual(cellsOf(record, columns));
          return JSON.stringify(record);
        });
        // Each has IDs of its own, whatever its app calls them.
        const all = [JSON.stringify(exampleIn(trigger)), ...texts].join();
        const ids = [...all.matchAll(/"(?:id|uri|Response ID)":("[^"]*"|\d+)/g)].map(([, id]) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(texts.join()).not.toMatch(/noor|visser|sanne|bakker|emily|chen|olivia|reed|jack|turner|ava|kim/i);
        return texts.map((text) => /Grace|Mateo/.exec(text)?.[0]);
      });
      // A time of day is of nobody.
      expect(people.filter(Boolean)).toEqual(Array(10).fill(['Grace', 'Mateo']).flat());
    } finally {
      await stop();
    }
  });

  test('a date and time is shown and entered as people write it, and mapped as the app gives it', async () => {
    const { parts, stop } = await startParts();
    try {
      const record = { start: { dateTime: '2026-06-12T14:30:00-04:00' }, summary: 'Emily Chen' };
      const step = {
        type: 'other',
        app: 'Google Calendar',
        event: 'Event Start',
        json: JSON.stringify(record),
      } as const;
      const zap = parts.zaps.add([toStep(step)]);
      const trigger = otherTrigger(zap);
      if (!trigger) throw new Error('The Zap has no trigger.');
      const { columns, rows, start } = readTable(parts, zap, trigger);
      expect(rows[0]?.cells[0]).toBe('Jun 12, 2026, 2:30 PM');
      expect(start?.next[0]).toBe('Jun 12, 2026, 3:00 PM');
      const startOf = (cell: string) =>
        composeRecord(parts.otherRecords, zap, trigger, columns, [cell, 'Grace Foster']).start;
      expect(startOf('Jun 12, 2026, 3:00 PM')).toEqual({ dateTime: '2026-06-12T19:00:00.000Z' });
      expect(startOf('Jan 12, 2027, 9:15 am')).toEqual({ dateTime: '2027-01-12T14:15:00.000Z' });
      expect(startOf('tomorrow')).toEqual({ dateTime: 'tomorrow' });
    } finally {
      await stop();
    }
  });

  const added = zaps.flatMap((zap) => {
    const trigger = otherTrigger(zap);
    const record = trigger && exampleOf(definition, trigger);
    return trigger && record ? [describeAdded(zap, trigger, Object(record))] : [];
  });

  test('the story of a record begins with the number or the name by which people know it, and with no long id', () => {
    expect(added).toEqual([
      'New Spreadsheet Row in Google Sheets: A-1042',
      'New Order in Shopify: #1042',
      'Event Start in Google Calendar: Emily Chen, check-up',
      'New Lead in Facebook Lead Ads: Jack',
      'Missed Call in RingCentral: OLIVIA REED',
      'Appointment Start in Acuity Scheduling: Emily',
      'New Paid Order in Shopify: #1042',
      'Invitee Created in Calendly: Olivia',
      'Order Created in WooCommerce: 1042',
      'New Entry in Typeform: Sanne',
      'Every Day in Schedule by Zapier',
      'Event Start in Google Calendar: Autumn opening hours',
    ]);
  });
});

describe('the store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playground-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a file that another program or version wrote is named, and stays as it is', () => {
    const file = join(folder, 'other.playground');
    writeFileSync(file, 'not a database'.repeat(500));
    expect(() => new Store(file)).toThrow(`The playground can't read ${file}. Move the file away`);
    expect(readFileSync(file, 'utf8')).toBe('not a database'.repeat(500));

    expect(() => new Store(folder)).toThrow("The playground can't read");
  });

  test('a row that cannot be read is named and set aside, and the others are read', () => {
    const named = jest.spyOn(console, 'error').mockImplementation();
    const file = join(folder, 'zaps.playground');
    const store = new Store(file);
    const zap = {
      title: 'Kept',
      steps: [{ type: 'delay', id: 'delay', value: '1', unit: 'hours' }],
      isOn: false,
      seen: [],
    };
    store.put('zap', 'zap-1', { ...zap, id: 'zap-1' });
    // Earlier versions called the operation of a step its place.
    const step = { type: 'app', id: 'step-1', place: 'creates.send_message', values: {}, labels: {} };
    store.put('zap', 'zap-2', { ...zap, id: 'zap-2', title: 'Earlier', steps: [step] });
    store.put('zap', 'zap-3', { ...zap, id: 'zap-3' });
    store.put('zap', 'zap-4', 'junk');
    store.close();
    const raw = new DatabaseSync(file);
    raw.exec(`UPDATE records SET document = '{' WHERE id = 'zap-4';
    INSERT INTO records SELECT kind, NULL, document FROM records WHERE id = 'zap-1';
    INSERT INTO records SELECT kind, 'zap-5', CAST(document AS BLOB) FROM records WHERE id = 'zap-1'`);

    const again = new Store(file);
    const zaps = new Zaps(again);
    expect(zaps.list().map(({ id }) => id)).toEqual(['zap-1', 'zap-3']);
    const sentences = named.mock.calls.flat();
    expect(sentences).toEqual([
      `The playground can't read the zap "Earlier" in ${file}, so it starts without it.`,
      `The playground can't read the zap "zap-4" in ${file}, so it starts without it.`,
      `The playground can't read the zap "Kept" in ${file}, so it starts without it.`,
      `The playground can't read the zap "zap-5" in ${file}, so it starts without it.`,
    ]);
    // A new Zap takes no id that one has, and what was set aside stays in the file.
    expect(zaps.add(zap.steps.map((each) => stepAlone.parse(each))).id).toBe('zap-4');
    expect(again.list('zap', zapSchema)).toHaveLength(3);
    const kinds = raw.prepare('SELECT kind, id FROM records ORDER BY id, kind').all();
    expect(kinds).toContainEqual({ kind: 'unreadable zap', id: 'zap-2' });
    expect(kinds).toContainEqual({ kind: 'unreadable zap', id: 'zap-4' });
    expect(kinds).toContainEqual({ kind: 'unreadable zap', id: null });
    expect(kinds).toContainEqual({ kind: 'unreadable zap', id: 'zap-5' });
    raw.close();
    again.close();
    named.mockRestore();
  });
});

describe('stories', () => {
  type Told = readonly (Partial<Run> & { result: Partial<StepResult> })[];

  /** The parts of the line after these runs of one Zap, each with what its step came to. */
  const tellBeats = async (runs: Told): Promise<Beat[][]> => {
    const { parts, stop } = await startParts();
    try {
      const zap = parts.zaps.add([
        toStep({ type: 'other', app: 'Schedule by Zapier', event: 'Every Day', json: '{"hour":9}' }),
        toStep({ type: 'app', operation: 'creates.send_message', values: {} }),
      ]);
      for (const { result, ...run } of runs) {
        const step: StepResult = { title: 'Send', status: 'success', requests: [post], ...result };
        const steps: StepResult[] = [{ title: 'Every Day', status: 'success', requests: [] }, step];
        const [stepIds, common] = [zap.steps.map(({ id }) => id), { zapId: zap.id, title: zap.title }];
        parts.runs.add({ ...common, type: 'live', status: step.status, steps, stepIds, trigger: {}, ...run });
      }
      return listStories(parts, zap).map(({ beats }) => beats);
    } finally {
      await stop();
    }
  };

  const tell = async (runs: Told): Promise<string[][]> =>
    (await tellBeats(runs)).map((beats) => beats.map(({ text }) => text));

  const post = { method: 'POST', path: '/messages', status: 202, headers: {} };
  const repeat = { ...post, headers: { [headers.idempotentReplayed]: 'true' } };
  const sent = (number: number, status = 'read') => ({
    output: {
      id: `msg_${number}`,
      direction: 'outbound',
      status,
      text: 'Open at 9.',
      created_at: '2026-06-11T09:40:12Z',
    },
  });

  test('one cause with many effects is one story in numbers', async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({
      cause: 'day',
      result: sent(at, at < 49 ? 'read' : 'failed'),
    }));
    expect(await tell(many)).toEqual([
      ['Every Day in Schedule by Zapier', 'Zap ran 51 times', '51 messages sent', '49 read, 2 failed'],
    ]);
  });

  test.each<[string, readonly ApiRequest[], string]>([
    ['sent nothing new', [repeat], 'Zap ran, nothing new was sent'],
    ['sent at its second try', [{ ...post, status: 503 }, repeat], 'Zap ran'],
  ])('a run that %s says so', async (_, requests, told) => {
    expect((await tell([{ cause: 'day', result: { ...sent(1), requests: [...requests] } }]))[0]?.[1]).toBe(told);
  });

  test('a run on hold and a search that found nothing are told without alarm, and an error with its step', async () => {
    const failure = (message: string) => ({ failure: { message, effect: '' }, requests: [] });
    const [error, halted, held] = await tellBeats([
      { cause: '1', result: { status: 'held', ...failure("The account isn't connected.") } },
      { cause: '2', result: { status: 'halted', ...failure('The search found nothing.') } },
      { cause: '3', result: { status: 'error', ...failure('The service is down.') } },
    ]);
    const nothing = 'and nothing was sent';
    expect([error, halted, held].map((beats) => beats?.at(-1))).toMatchObject([
      { kind: 'problem', text: `Errored at step 2, ${nothing}: The service is down` },
      { kind: 'held', text: `Safely halted at step 2, ${nothing}: The search found nothing` },
      { kind: 'held', text: `On hold at step 2, ${nothing}: The account isn't connected` },
    ]);
  });
});

describe('the preview of a message', () => {
  let assembled: Assembled;
  beforeAll(async () => {
    assembled = await startParts();
  });
  afterAll(() => assembled.stop());

  const sends = ({ operation }: AppStep): boolean => operation.startsWith('creates.send_message');

  /** Every step of a recipe that sends a message. */
  const sending = recipes.flatMap((recipe) =>
    stepsOf(recipe).flatMap((step, index) => {
      const own = asApp(step);
      return own && sends(own) ? [{ recipe, index }] : [];
    }),
  );

  const texts = fc.oneof(
    fc.constantFrom('26 November', '12', '2026-06-12', '2:30 pm', '14.30', '1.250,50', 'https://example.com/1'),
    fc.constantFrom('a'.repeat(1300), 'a'.repeat(1024), '<b>1</b>', '{{1.nothing}}', 'null', ' ', '{{parcel_id}}'),
    fc.constantFrom('+12025550123', '020 123 4567', '(202) 555-0143', '1'),
    fc.string({ maxLength: 40 }),
  );

  interface Change {
    key: number;
    text: string;
    isMapped: boolean;
  }

  const change: fc.Arbitrary<Change> = fc.record({ key: fc.nat(), text: texts, isMapped: fc.boolean() });

  const channels = ['whatsapp', 'sms', 'messenger'];

  /** Adds a Zap of the recipe with the step changed. A mapped text comes from the first step. */
  const addZap = ({ parts }: Assembled, recipe: Recipe, index: number, changes: readonly Change[]) => {
    const steps = stepsOf(recipe);
    const step = asApp(steps[index]);
    if (!step) throw new Error('The step sends nothing.');
    const keys = Object.keys(step.values).filter((key) => key !== 'deduplication_key' && key !== 'template');
    // The same key would send nothing new.
    step.values.deduplication_key = crypto.randomUUID();
    const mapped: Record<string, string> = {};
    for (const { key: at, text, isMapped } of changes) {
      const key = keys[at % keys.length] ?? 'to';
      mapped[key] = text;
      if (key === 'channel') step.values[key] = channels[at % channels.length] ?? 'sms';
      else step.values[key] = isMapped ? `{{1.${key}}}` : text;
    }
    const trigger = asApp(steps[0]);
    const sample = trigger ? definition.find(trigger.operation)?.sample : undefined;
    const [first] = steps;
    const record = first?.type === 'other' ? JSON.parse(first.json) : sample;
    steps[0] = toStep({
      type: 'other',
      app: 'Sheets',
      event: 'New Row',
      json: JSON.stringify({ ...record, ...mapped }),
    });
    return parts.zaps.add(steps);
  };

  /** Whether the page shows anything in red. */
  const hasRed = ({ fields, message }: StepPreview): boolean =>
    message?.problem !== undefined || Object.values(fields).some(({ problem }) => problem !== undefined);

  test('a bubble without red is exactly what arrives, and nothing arrives of one with red', async () => {
    const { parts } = assembled;
    const seen: boolean[] = [];
    const steps = fc.constantFrom(...sending);
    const property = fc.asyncProperty(steps, fc.array(change, { maxLength: 2 }), async ({ recipe, index }, changes) => {
      const zap = addZap(assembled, recipe, index, changes);
      await parts.editor.open(zap, index);
      const preview = await previewStep(parts, zap, index);
      const { message } = preview;
      const waits = asApp(zap.steps[index])?.operation === 'creates.send_message_and_wait';
      const run = await parts.editor.run(zap, index, waits);
      const sent = messagesIn(run?.steps[0]?.output).map(({ to, channel, text }) => ({ to, channel, text }));
      expect(sent.length > 0).toBe(message?.isSent);
      seen.push(sent.length > 0);
      const shown = message?.versions.map(({ body }) => ({
        to: message.phone,
        channel: message.channel,
        text: readParts(body),
      }));
      for (const each of sent.slice(0, 1)) {
        expect(hasRed(preview)).toBe(false);
        expect(shown).toContainEqual(each);
      }
    });
    await fc.assert(property, { numRuns: 150 });
    for (const isSent of [true, false]) expect(seen.filter((each) => each === isSent).length).toBeGreaterThan(3);
  });

  /** A Zap of a row and a message whose variables are these. */
  const addRow = async (values: Record<string, string>, row: object = {}) => {
    const { parts } = assembled;
    const json = JSON.stringify({ phone: '+12025550123', ...row });
    const zap = parts.zaps.add([
      toStep({ type: 'other', app: 'Sheets', event: 'New Row', json }),
      toStep({
        type: 'app',
        operation: 'creates.send_message',
        values: { channel: 'whatsapp', template: 'delivery_rescheduled', to: '{{1.phone}}', ...values },
      }),
    ]);
    await parts.editor.open(zap, 1);
    return zap;
  };

  const filledIn = { variable_parcel_id: 'PX-7', variable_new_date: '2026-06-12' };

  test.each([
    [
      'a typed date',
      { ...filledIn, variable_new_date: '26 November' },
      {},
      'variable_new_date',
      'is an invalid or ambiguous date',
    ],
    [
      'a mapped date',
      { ...filledIn, variable_new_date: '{{1.date}}' },
      { date: '12' },
      'variable_new_date',
      'ambiguous date',
    ],
    ['a long text', { ...filledIn, variable_parcel_id: 'a'.repeat(1300) }, {}, 'variable_parcel_id', '1024'],
    ['another channel', { ...filledIn, channel: 'sms' }, {}, 'template', 'has no template'],
    ['a phone number', { ...filledIn, to: '12' }, {}, 'to', "isn't a phone number"],
  ])(
    '%s that a run would refuse shows at its field, in the message, on the card, and keeps the Zap from running',
    async (_, values, row, key, sentence) => {
      const { editor } = assembled.parts;
      const zap = await addRow(values, row);
      const { fields, message } = await previewStep(assembled.parts, zap, 1);
      expect(fields[key]?.problem).toContain(sentence);
      expect(message?.problem).toContain(sentence);
      const refusals = await editor.findRefusals(zap);
      const state = stateOf(definition, zap.steps, 1, [], refusals[1]);
      expect(state).toEqual({ status: 'incomplete', problems: { [key]: expect.stringContaining(sentence) } });
      expect((await editor.findZapProblem(zap))?.sentence).toContain(sentence);
    },
  );

  test('a test of a step keeps its record when the step is saved meanwhile', async () => {
    const { zaps, editor, service } = assembled.parts;
    const values = { phone: fictionalNumber(820, 999) };
    await service.addContact(values);
    const search = toStep({ type: 'app', operation: 'searches.find_contact', values });
    const zap = zaps.add([toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: '{}' }), search]);
    await editor.open(zap, 1);
    const tested = editor.run(zap, 1, true);
    const save = (step: (typeof zap.steps)[number]) => ({ ...step, values: { ...values, last_name: 'Visser' } });
    zaps.change(zap, { steps: zap.steps.map((each, index) => (index === 1 ? save(each) : each)) });
    expect((await tested)?.status).toBe('success');
    expect(asApp(zap.steps[1])).toMatchObject({ values: { last_name: 'Visser' }, example: { phone: values.phone } });
  });

  test('a customer has the name of the chat, and a number that is invalid and a variable that is empty both show', async () => {
    expect((await previewStep(assembled.parts, await addRow(filledIn), 1)).message?.name).toBe('Noor Visser');
    const zap = await addRow({ variable_new_date: '26 November', to: '12' });
    const { fields, message } = await previewStep(assembled.parts, zap, 1);
    expect(Object.keys(fields).toSorted()).toEqual(['to', 'variable_new_date']);
    expect(message).toMatchObject({ isSent: false, problem: expect.stringContaining('ambiguous date') });
  });

  test('a message that was sent for the same value says so, and so does a recipient who opted out', async () => {
    const { parts } = assembled;
    const zap = await addRow(
      { ...filledIn, deduplication_key: '{{1.order}}', to: fictionalNumber(821, 1) },
      { order: 'A-1042' },
    );
    expect((await previewStep(parts, zap, 1)).message).toMatchObject({ isSent: true, isRepeat: false });
    await parts.editor.run(zap, 1, true);
    expect((await previewStep(parts, zap, 1)).message).toMatchObject({ isSent: true, isRepeat: true });
    const other = await addRow({ ...filledIn, to: fictionalNumber(821, 1) });
    await setConsent(parts, fictionalNumber(821, 1), 'opted_out');
    expect((await previewStep(parts, other, 1)).message?.problem).toContain('opted out');
  });

  const addCampaign = async ({ parts }: Assembled, id: string): Promise<Zap> => {
    const values = { campaign: id, audience: 'saved', max_recipients: '5000' };
    const zap = parts.zaps.add([
      toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: '{"id":1}' }),
      toStep({ type: 'app', operation: 'creates.start_campaign', values }),
    ]);
    await parts.editor.open(zap, 1);
    return zap;
  };

  const bubbleOf = async ({ parts }: Assembled, zap: Zap): Promise<string> => {
    const { message } = await previewStep(parts, zap, 1);
    return textOf(PreviewBubble({ message, zap, index: 1 })?.toString() ?? '');
  };

  test('a template that cannot be sent is named with its status, and so is a campaign that cannot start', async () => {
    const { account } = assembled.parts.service;
    expect(await bubbleOf(assembled, await addRow({ template: 'summer_promotion' }))).toMatch(
      /The service lists the template "summer_promotion" as pending\. .* Not sent\. .* isn't approved/,
    );
    const campaigns = (await callApi(account, endpoints.listCampaigns, { query: {} })).data;
    for (const [status, sentence] of [
      ['canceled', 'Not sent. Campaign: this campaign was canceled.'],
      ['sending', 'Not sent. Campaign: this campaign is already sending to its audience.'],
    ]) {
      const { id } = campaigns.find((each) => each.status === status) ?? {};
      expect(await bubbleOf(assembled, await addCampaign(assembled, `${id}`))).toContain(sentence);
    }
  });

  test('a campaign shows its message and how many people get it', async () => {
    const { parts } = assembled;
    const [campaign] = (await callApi(parts.service.account, endpoints.listCampaigns, { query: {} })).data;
    const zap = await addCampaign(assembled, `${campaign?.id}`);
    const { message } = await previewStep(parts, zap, 1);
    expect(message).toMatchObject({ audience: campaign?.audience_size, template: campaign?.template });
    expect(message?.versions.length).toBeGreaterThan(0);
    expect(await bubbleOf(assembled, zap)).toContain(
      `To ${campaign?.audience_size?.toLocaleString('en')} people on WhatsApp`,
    );
  });

  test('marketing to a US number is said to arrive only in the sandbox', async () => {
    const templates = await assembled.parts.service.listTemplates();
    const { name } =
      templates.find(({ category, channel }) => category === 'marketing' && channel === 'whatsapp') ?? {};
    for (const [to, isOnlyInSandbox] of [
      ['+12025550123', true],
      ['+31612345678', false],
    ] as const) {
      const zap = await addRow({ template: `${name}`, to });
      expect((await previewStep(assembled.parts, zap, 1)).message).toMatchObject({ isOnlyInSandbox });
    }
  });

  test('a step that nobody filled in shows no problem', async () => {
    const zap = await addRow({ to: '', template: '', channel: '' });
    expect(await previewStep(assembled.parts, zap, 1)).toMatchObject({ fields: {}, message: { problem: undefined } });
  });

  test("what only the service refuses of another app's data shows, and doesn't keep the Zap from running", async () => {
    const zap = await addRow({ ...filledIn, variable_parcel_id: '{{1.id}}' }, { id: 'a'.repeat(1300) });
    const { fields, message } = await previewStep(assembled.parts, zap, 1);
    expect([fields.variable_parcel_id?.problem, message?.problem]).toEqual(
      Array(2).fill(expect.stringContaining('1024')),
    );
    expect(await assembled.parts.editor.findZapProblem(zap)).toBeUndefined();
  });

  test.each(recipes.map((recipe) => [recipe.name, recipe] as const))(
    'nothing of "%s" is refused',
    async (_, recipe) => {
      const { parts } = assembled;
      const refusals = await parts.editor.findRefusals(parts.zaps.add(stepsOf(recipe)));
      expect(refusals.flatMap((each) => Object.values(each))).toEqual([]);
    },
  );

  test('a preview changes nothing in the service', async () => {
    const { parts } = assembled;
    const zap = await addRow(filledIn);
    const read = async () => (await parts.service.listMessages()).map(({ id }) => id);
    const before = await read();
    expect((await previewStep(parts, zap, 1)).message?.isSent).toBe(true);
    expect(await read()).toEqual(before);
  });
});
