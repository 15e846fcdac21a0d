import type { CheckResult } from '../../conformance/checks/check';
import { openReceiver } from '../../conformance/checks/receiver';
import { delivery as eventSchema } from '../../src/api/events';
import { message } from '../../src/api/resources';
import { deliveryHeaders } from '../../src/api/service';
import { deliveryOf, toPayload } from '../support/deliveries';
import { checkDeliveries, type Delivery, fromOther, genuine } from './checked-deliveries';
import { pathOnWire, withFilesOnly } from './names';

const differencesIn = (rows: Map<string, CheckResult>): string[] =>
  [...rows.values()]
    .filter(({ outcome }) => outcome === 'differs')
    .map(({ check: name, detail }) => `${name}: ${withFilesOnly(detail)}`);

test('deliveries by Standard Webhooks with all fields pass', async () => {
  const rows = [...(await checkDeliveries(genuine())).values()];
  expect(rows.map(({ check: name, outcome }) => [name, outcome])).toEqual(
    [
      ...['a delivery, its fields', 'a delivery', 'a delivery, signed'],
      ...['a delivery to each of two webhooks', 'deliveries, filtered'],
    ].map((name) => [name, 'passed']),
  );
});

const withoutSignature = Object.entries(genuine().headers).filter(
  ([name]) => name.toLowerCase() !== deliveryHeaders.signature,
);
const hourAgo = new Date(Date.now() - 3_600_000);
const altered = genuine();
const unknownEvent = JSON.stringify(toPayload({ ...deliveryOf('message.sent'), type: 'message.exploded' }));
const [text, template] = ['text', 'template'].map((name) => pathOnWire(message.schema, name));
const type = pathOnWire(eventSchema, 'type');

test.each<[what: string, delivery: Delivery, difference: string]>([
  [
    'a missing header',
    { ...genuine(), headers: Object.fromEntries(withoutSignature) },
    `a delivery, signed: \`${deliveryHeaders.signature}\` is missing (src/api/service.ts)`,
  ],
  [
    'a timestamp that is not now',
    genuine({}, hourAgo),
    `a delivery, signed: \`${deliveryHeaders.timestamp}\` isn't the time in seconds`,
  ],
  [
    'an altered payload',
    { ...altered, content: `${altered.content} ` },
    "a delivery, signed: the signature isn't the one of the contract with the webhook's secret (src/api/service.ts)",
  ],
  [
    'a field of another type',
    genuine({ text: { body: 'Hello' } }),
    `a delivery, its fields: message.sent: \`${text}\` is an object, not text (src/api/resources.ts)`,
  ],
  [
    'a renamed field',
    genuine({ template: undefined, Template: 'parcel_sms' }),
    `a delivery, its fields: message.sent: \`${template}\` is missing; there is \`Template\` (src/api/resources.ts)`,
  ],
])('reports %s', async (_what, delivery, difference) => {
  expect(differencesIn(await checkDeliveries(delivery))).toEqual([difference]);
});

test('reports an unknown event', async () => {
  expect(differencesIn(await checkDeliveries({ ...genuine(), content: unknownEvent }))).toContain(
    `a delivery, its fields: \`${type}\` has the unknown word "message.exploded" (src/api/resources.ts)`,
  );
});

test('reports the shape of a payload that it cannot read, before what depends on it', async () => {
  const rows = await checkDeliveries({ ...genuine(), content: '{"kind":"message.sent","object":{}}' });
  const [first] = rows.values();
  expect(first).toMatchObject({ check: 'a delivery, its fields', outcome: 'differs' });
  expect(first?.detail).toContain(`\`${type}\` is missing; there is \`kind\``);
  const open = [...rows.values()].filter(({ outcome }) => outcome === 'not checked').map((row) => row.check);
  expect(open).toEqual(['a delivery', 'a delivery to each of two webhooks', 'deliveries, filtered']);
});

test('reports a service that delivers to one webhook only', async () => {
  expect(differencesIn(await checkDeliveries(genuine(), ['second', 'matching']))).toEqual([
    'a delivery to each of two webhooks: the first of two webhooks gets no delivery',
  ]);
});

test('only reports that nothing arrives when the service delivers nothing', async () => {
  const rows = [...(await checkDeliveries(genuine(), [])).values()];
  expect(rows.filter(({ outcome }) => outcome !== 'not checked')).toEqual([
    expect.objectContaining({ check: 'a delivery', outcome: 'differs' }),
  ]);
});

test('reports filters that let nothing or everything through', async () => {
  expect(differencesIn(await checkDeliveries(genuine(), ['first', 'second']))).toEqual([
    "deliveries, filtered: a webhook whose filters match doesn't deliver",
  ]);
  expect(differencesIn(await checkDeliveries(genuine(), ['first', 'second', 'matching', 'excluding-source']))).toEqual([
    'deliveries, filtered: the filter `source` is ignored (src/api/resources.ts)',
  ]);
});

test("reports a filter by one number that lets another number's message through, whoever sends it", async () => {
  const names = ['first', 'second', 'matching'];
  expect(differencesIn(await checkDeliveries(genuine(), names, fromOther('+12025550199')))).toEqual([
    'deliveries, filtered: the filter `from` is ignored (src/api/resources.ts)',
  ]);
  expect(differencesIn(await checkDeliveries(genuine(), names, fromOther('+447700900001')))).toEqual([]);
});

test('a request that a browser sends for a web page is no delivery', async () => {
  const receiver = await openReceiver(0);
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(`${receiver.url}/first`, { method: 'POST', headers, body: '{}' })).status;
  const statuses = [
    await statusOf({ origin: 'null' }),
    await statusOf({ 'sec-fetch-site': 'cross-site' }),
    await statusOf({}),
  ];
  await receiver.stop();
  expect(statuses).toEqual([403, 403, 200]);
  expect(receiver.received).toHaveLength(1);
});
