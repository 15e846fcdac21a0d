/** How the app reads what services sent to `npm run conformance`. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { decodeDelivery } from '../../../src/api/decode';
import { type Endpoint, endpoints } from '../../../src/api/endpoints';
import { errorCodes, errorResponse, explainRefusal } from '../../../src/api/errors';
import { events } from '../../../src/api/events';
import { parseRefusal } from '../../../src/api/refusal';

const readFile = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const endpointByName = new Map(Object.entries<Endpoint>(endpoints));
const schemaByEvent = new Map(Object.entries(events).map(([type, { schema }]) => [type, schema]));

const recording = z.object({ endpoint: z.enum([...endpointByName.keys()]), status: z.number(), body: z.unknown() });
const anyRecord = z.record(z.string(), z.unknown());
const anyList = z.object({ data: z.array(anyRecord) });

/** Reads a recorded response as the integration does. */
const readResponse = (file: string): unknown => {
  const { endpoint, body } = recording.parse(readFile(file));
  const schema = endpointByName.get(endpoint)?.response ?? z.never();
  return schema.parse(body);
};

const explainRecorded = (file: string): void => {
  const { status, body } = recording.parse(readFile(file));
  const refusal = parseRefusal(status, body);
  expect(() => errorResponse.parse(body)).not.toThrow();
  expect(Object.keys(errorCodes)).toContain(refusal.code);
  expect(explainRefusal(refusal).message).toMatch(/^[A-Z].+[.)]$/);
};

/** The recorded list of the records in the events of each area. */
const lists = { message: 'listMessages.json', conversation: 'listConversations.json', campaign: 'listCampaigns.json' };
const area = z.enum(['message', 'conversation', 'campaign']);

/**
 * Compares a recorded delivery with the recorded list of such records: a test step in the editor shows records of the
 * list, and a live Zap gets those of deliveries.
 */
const compareDelivery = (file: string): void => {
  const type = basename(file, '.json');
  const event = decodeDelivery(z.object({ body: z.unknown() }).parse(readFile(file)).body);
  const schema = schemaByEvent.get(type) ?? z.never();
  const record = anyRecord.parse(schema.parse(event?.data));
  const list = join(dirname(file), '../responses', lists[area.parse(type.split('.')[0])]);
  const [listed = {}] = anyList.parse(readResponse(list)).data;
  // A delivery may have only the ID.
  expect([['id'], Object.keys(listed).toSorted()]).toContainEqual(Object.keys(record).toSorted());
  const inBoth = Object.keys(record).filter((key) => record[key] !== null && listed[key] !== null);
  expect(inBoth.map((key) => [key, typeof record[key]])).toEqual(inBoth.map((key) => [key, typeof listed[key]]));
};

const checks = { responses: readResponse, refusals: explainRecorded, deliveries: compareDelivery };

/** Lists the recordings of a service, each with what checks that the app reads it. */
export const recordingsIn = (folder: string) =>
  Object.entries(checks).flatMap(([kind, check]) =>
    globSync(join(kind, '*.json'), { cwd: folder }).map((file) => ({ file: join(folder, file), check })),
  );
