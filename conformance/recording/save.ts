import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endpoints, headers } from '../../src/api/endpoints';
import { errorAnswer } from '../../src/api/errors';
import { delivery, deliveryHeaders } from '../../src/api/events';
import { nameOnWire } from '../../src/api/wire';
import type { Received } from '../checks/receiver';
import { readEvent } from '../contract/event';
import type { Answer } from '../service';
import { mask, maskText } from './mask';

/** Enough to see what a list is like. */
const mostRecords = 3;

const shorten = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.slice(0, mostRecords);
  if (typeof body !== 'object' || body === null) return body;
  const entries = Object.entries(body);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, mostRecords) : value]),
  );
};

/** The headers of these names; only a pause and a time are shown as they came. */
const maskHeaders = (names: readonly string[], get: (name: string) => string | null | undefined): object => {
  const shown: string[] = [headers.retryAfter, deliveryHeaders.timestamp];
  const found = names.flatMap((name) => {
    const value = get(name);
    return value ? [[name, shown.includes(name) ? value : maskText(value)]] : [];
  });
  return Object.fromEntries(found);
};

/** Where a recording goes and what is in it. */
type Recording = [file: string, content: object];

const recordAnswer = ({ endpoint, status, headers: got, body }: Answer): Recording[] => {
  const name = Object.entries(endpoints).find(([, each]) => each === endpoint)?.[0];
  if (!name) return [];
  const isRefusal = status >= 300;
  const content = {
    endpoint: name,
    status,
    headers: maskHeaders(Object.values(headers), (header) => got.get(header)),
    body: mask(isRefusal ? errorAnswer() : endpoint.answer, shorten(body)),
  };
  return [[isRefusal ? `refusals/${name}-${status}.json` : `answers/${name}.json`, content]];
};

const dataField = nameOnWire('data', delivery().shape.data);

const recordDelivery = (received: Received): Recording[] => {
  const { body, told } = readEvent(received);
  // The name of an event that is not known could lead to any file.
  if (!told?.schema) return [];
  const content = {
    headers: maskHeaders(Object.values(deliveryHeaders), (header) => received.headers[header]),
    body: { ...Object(mask(delivery(), body)), [dataField]: mask(told.schema, told.record) },
  };
  return [[`deliveries/${told.type}.json`, content]];
};

/**
 * Saves one recording of each kind of answer, refusal and delivery in the folder, as JSON for the tests and without
 * personal data, tokens and secrets. Gives the folder.
 */
export const saveRecordings = (folder: string, answers: readonly Answer[], received: readonly Received[]): string => {
  const recordings = [...answers.flatMap(recordAnswer), ...received.flatMap(recordDelivery)];
  // Of several of one kind the first is kept: it was asked for without a filter.
  for (const [file, content] of new Map(recordings.toReversed())) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
  }
  return folder;
};
