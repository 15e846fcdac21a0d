import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import * as z from 'zod/mini';
import { type Endpoint, endpoints } from '../src/api/endpoints';
import { errorAnswer, errorCodes, explain, parseRefusal } from '../src/api/errors';
import { delivery, events } from '../src/api/events';
import { fromWire } from '../src/api/wire';

const folder = join(__dirname, 'recorded');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
const ofKind = (kind: string): string[] => files.filter((file) => file.split(sep)[1] === kind);
const readFile = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

const calls = new Map(Object.entries<Endpoint>(endpoints));
const resources = new Map(Object.entries(events).map(([type, { schema }]) => [type, schema]));

const recordedAnswer = z.object({ endpoint: z.enum([...calls.keys()]), status: z.number(), body: z.unknown() });
const anyRecord = z.record(z.string(), z.unknown());
const anyList = z.object({ data: z.array(anyRecord) });

/** What the integration makes of a recorded answer. */
const readAnswer = (...path: string[]): unknown => {
  const { endpoint, body } = recordedAnswer.parse(readFile(...path));
  const schema = calls.get(endpoint)?.answer ?? z.never();
  return schema.parse(fromWire(schema, body));
};

/** The recorded lists of what the events tell of. */
const lists = { message: 'listMessages.json', conversation: 'listConversations.json', campaign: 'listCampaigns.json' };
const area = z.enum(['message', 'conversation', 'campaign']);

/** What the integration makes of a recorded delivery: the record that it tells of, and where such are listed. */
const readDelivery = (file: string) => {
  const event = delivery().parse(fromWire(delivery(), z.object({ body: z.unknown() }).parse(readFile(file)).body));
  const schema = resources.get(event.type) ?? z.never();
  const record = anyRecord.parse(schema.parse(fromWire(schema, event.data)));
  return { record, list: lists[area.parse(event.type.split('.')[0])] };
};

test.each(ofKind('answers'))('the integration reads the answer in %s', (file) => {
  expect(() => readAnswer(file)).not.toThrow();
});

test.each(ofKind('refusals'))('the integration has a sentence for the refusal in %s, by its code', (file) => {
  const { status, body } = recordedAnswer.parse(readFile(file));
  const refusal = parseRefusal(status, body);
  expect(() => errorAnswer().parse(fromWire(errorAnswer(), body))).not.toThrow();
  expect(Object.keys(errorCodes)).toContain(refusal.code);
  expect(explain(refusal).message).toMatch(/^[A-Z].+[.)]$/);
});

describe.each(ofKind('deliveries'))('the delivery in %s', (file) => {
  test('is read by the integration', () => {
    expect(() => readDelivery(file)).not.toThrow();
  });

  test('has the fields of a record in a list, of the same types, so that a test step shows what a Zap will get', () => {
    const { record, list } = readDelivery(file);
    const [recording = ''] = file.split(sep);
    const [listed = {}] = anyList.parse(readAnswer(recording, 'answers', list)).data;
    expect(Object.keys(record).toSorted()).toEqual(Object.keys(listed).toSorted());
    const inBoth = Object.keys(record).filter((key) => record[key] !== null && listed[key] !== null);
    expect(inBoth.map((key) => [key, typeof record[key]])).toEqual(inBoth.map((key) => [key, typeof listed[key]]));
  });
});
