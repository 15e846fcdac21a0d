import { globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import * as z from 'zod/mini';
import { decodeDelivery } from '../../src/api/decode';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { errorCodes, errorResponse, explainRefusal } from '../../src/api/errors';
import { events } from '../../src/api/events';
import { parseRefusal } from '../../src/api/refusal';
import { fromWire } from '../../src/api/translate';

const folder = join(__dirname, '../recorded');
/** Lists the recordings of a kind of every service. There may be none of deliveries: only some runs record them. */
const ofKind = (kind: string): string[] => globSync(`*/${kind}/*.json`, { cwd: folder }).toSorted();
const readFile = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

const endpointByName = new Map(Object.entries<Endpoint>(endpoints));
const schemaByEvent = new Map(Object.entries(events).map(([type, { schema }]) => [type, schema]));

const recording = z.object({ endpoint: z.enum([...endpointByName.keys()]), status: z.number(), body: z.unknown() });
const anyRecord = z.record(z.string(), z.unknown());
const anyList = z.object({ data: z.array(anyRecord) });

/** Reads a recorded response as the integration does. */
const readResponse = (...path: string[]): unknown => {
  const { endpoint, body } = recording.parse(readFile(...path));
  const schema = endpointByName.get(endpoint)?.response ?? z.never();
  return schema.parse(fromWire(schema, body));
};

/** The recorded list of the records in the events of each area. */
const lists = { message: 'listMessages.json', conversation: 'listConversations.json', campaign: 'listCampaigns.json' };
const area = z.enum(['message', 'conversation', 'campaign']);

/** Reads a recorded delivery as the integration does: its record, and the recorded list of such records. */
const readDelivery = (file: string) => {
  const type = basename(file, '.json');
  const [event] = decodeDelivery(z.object({ body: z.unknown() }).parse(readFile(file)).body) ?? [];
  const schema = schemaByEvent.get(type) ?? z.never();
  const record = anyRecord.parse(schema.parse(fromWire(schema, event?.data)));
  return { record, list: lists[area.parse(type.split('.')[0])] };
};

test('responses of a service are recorded (if not, run `npm run conformance`)', () => {
  expect(ofKind('responses')).not.toEqual([]);
});

for (const file of ofKind('responses')) {
  test(`reads the response in ${file}`, () => {
    expect(() => readResponse(file)).not.toThrow();
  });
}

for (const file of ofKind('refusals')) {
  test(`explains the refusal in ${file} by its code`, () => {
    const { status, body } = recording.parse(readFile(file));
    const refusal = parseRefusal(status, body);
    expect(() => errorResponse.parse(fromWire(errorResponse, body))).not.toThrow();
    expect(Object.keys(errorCodes)).toContain(refusal.code);
    expect(explainRefusal(refusal).message).toMatch(/^[A-Z].+[.)]$/);
  });
}

// A test step in the editor shows records of the list, and a live Zap gets those of deliveries.
for (const file of ofKind('deliveries')) {
  test(`the delivery in ${file} has the fields and types of a record in a list, or only its id`, () => {
    const { record, list } = readDelivery(file);
    const [host = ''] = file.split(sep);
    const [listed = {}] = anyList.parse(readResponse(host, 'responses', list)).data;
    expect([['id'], Object.keys(listed).toSorted()]).toContainEqual(Object.keys(record).toSorted());
    const inBoth = Object.keys(record).filter((key) => record[key] !== null && listed[key] !== null);
    expect(inBoth.map((key) => [key, typeof record[key]])).toEqual(inBoth.map((key) => [key, typeof listed[key]]));
  });
}
