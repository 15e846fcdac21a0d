/** Single parts of the page: the canvas, forms, results, records of other apps, the store, and stories. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import * as z from 'zod/mini';
import app from '../../../src';
import { headers } from '../../../src/api/endpoints';
import { recipes } from '../../recipes';
import { stepsOf } from '../../recipes/recipe';
import type { ApiRequest, StepResult } from '../../zapier/core/result';
import { parseForm } from '../../zapier/fields/form';
import { outputsOf } from '../../zapier/fields/mapping';
import { newStep, stepAlone, tools, toStep } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { Zaps } from '../../zapier/zap/kept-zaps';
import { exampleOf } from '../../zapier/zap/steps';
import { zap as zapSchema } from '../../zapier/zap/zap';
import { Additions } from '../page/canvas/add-step';
import { paintBars } from '../page/canvas/canvas';
import { Card } from '../page/canvas/card';
import { Sprite } from '../page/elements/icon';
import { FieldsForm } from '../page/panel/fields-form';
import { orderOutputs } from '../service/order-outputs';
import { cellsOf, composeRecord, describeAdded, exampleIn, otherTrigger } from '../service/other-records';
import { readTable } from '../service/other-windows';
import { Store } from '../service/store';
import { type Beat, listStories } from '../service/stories';
import { definition } from '../service/zapier';
import { textOf } from './playground-client';
import { startParts } from './playground-parts';

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
});

describe('kinds of steps', () => {
  const styles = readFileSync('lab/playground/page/styles/apps.css', 'utf8');
  const sprite = Sprite().toString();

  test.each(tools.map((tool) => [tool.title, tool] as const))(
    '%s has an icon and a color that the page has, and is listed',
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

  test('no two have one icon', () => {
    expect(new Set(tools.map(({ icon }) => icon)).size).toBe(tools.length);
  });
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

  const forms = definition.operations.flatMap(({ label, path }) => {
    const all = operations[path.split('.')[1] ?? '']?.operation.inputFields ?? [];
    const fields = all.filter((each) => plainField.safeParse(each).success);
    return fields.length > 0 ? [{ label, path, fields }] : [];
  });

  test.each(forms)('of $label has the labels, required marks and help texts of the app', ({ path, fields }) => {
    const step = { ...newStep(path, 'step-1'), form: parseForm({}, fields, false) };
    const html = FieldsForm({ step, index: 1, address: '', problems: {}, previews: {} }).toString();
    const shown = withoutSpaces(textOf(html));
    for (const { label, required, helpText = '' } of z.array(plainField).parse(fields)) {
      expect(shown).toContain(withoutSpaces(label));
      expect(shown.includes(withoutSpaces(`${label} required`))).toBe(required === true);
      // The page renders the Markdown of a help text.
      expect(shown).toContain(withoutSpaces(helpText.replaceAll(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1')));
    }
  });
});

describe('results', () => {
  test('a sent message begins with its text, its status, whether it was sent before and the person, and ends with ids', () => {
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
        // No two share an ID, whatever its app calls it.
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

  test('the story of a record says what happened in which app, and to which number or name, but no long id', () => {
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
  afterEach(() => jest.restoreAllMocks());

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
  ])('a run that %s is told so', async (_, requests, told) => {
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
    const twice = { cause: '4', result: { status: 'held', ...failure('Wait.') } } as const;
    expect((await tell([twice, twice]))[0]?.at(-1)).toBe(`On hold at step 2, ${nothing}: Wait (2 runs)`);
    expect([error, halted, held].map((beats) => beats?.at(-1))).toMatchObject([
      { kind: 'problem', text: `Errored at step 2, ${nothing}: The service is down` },
      { kind: 'held', text: `Safely halted at step 2, ${nothing}: The search found nothing` },
      { kind: 'held', text: `On hold at step 2, ${nothing}: The account isn't connected` },
    ]);
  });

  test('a run that rules stopped says how the data compared with them, so that nobody has to guess', async () => {
    const input = { 'Rule 1': `"other" isn't "yes"` };
    const told = await tell([{ cause: '1', result: { status: 'filtered', input, requests: [] } }]);
    expect(told[0]?.at(-1)).toBe(`filtered: "other" isn't "yes"`);
  });
});
