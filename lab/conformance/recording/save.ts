import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headers, nameOf } from '../../../src/api/endpoints';
import { errorResponse } from '../../../src/api/errors';
import { delivery } from '../../../src/api/events';
import { asRecord } from '../../../src/api/json';
import { deliveryHeaders } from '../../../src/api/presets';
import { UsageError } from '../../cli/errors';
import { eventOf } from '../checks/webhooks';
import { readJson } from '../json';
import type { Received } from '../receiver';
import type { ServiceResponse } from '../service-client';
import { mask, maskText } from './mask';

/** Returns the headers of these names, masked. */
const maskHeaders = (names: readonly string[], get: (name: string) => string | null | undefined): object => {
  const found = names.flatMap((name) => {
    const value = get(name);
    return value ? [[name, maskText(value)]] : [];
  });
  return Object.fromEntries(found);
};

/** The path of a recording within its folder, and its content. */
type Recording = [file: string, content: object];

const recordResponse = ({ endpoint, status, headers: got, body }: ServiceResponse): Recording[] => {
  const name = nameOf(endpoint);
  if (!name) return [];
  const isRefusal = status >= 300;
  const content = {
    endpoint: name,
    status,
    headers: maskHeaders(Object.values(headers), (header) => got.get(header)),
    body: mask(isRefusal ? errorResponse : endpoint.response, body),
  };
  return [[isRefusal ? `refusals/${name}-${status}.json` : `responses/${name}.json`, content]];
};

const recordDelivery = (received: Received): Recording[] => {
  // The name of an unknown event could be any path.
  const event = eventOf(received);
  if (!event) return [];
  const { definition, ...body } = event;
  const content = {
    headers: maskHeaders(Object.values(deliveryHeaders), (header) => received.headers[header]),
    body: { ...Object(mask(delivery, body)), data: mask(definition.schema, event.data) },
  };
  return [[`deliveries/${event.type}.json`, content]];
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a recording may have this name and this content. `kind` is the folder. */
const isRecording = (kind: string, file: string, text: string): boolean => {
  const content = readJson(text);
  const keys = isObject(content) ? Object.keys(content).toString() : '';
  if (kind === 'deliveries') return /^[a-z]+\.[a-z]+\.json$/.test(file) && keys === 'headers,body';
  const [, name] = (kind === 'refusals' ? /^(\w+)-\d{3}\.json$/ : /^(\w+)\.json$/).exec(file) ?? [];
  return name !== undefined && asRecord(content).endpoint === name && /^endpoint,status,headers(,body)?$/.test(keys);
};

const kinds = ['responses', 'refusals', 'deliveries'];

/** Returns the files of earlier recordings. Throws `UsageError` when a file isn't one, since the folder may be any. */
export const findRecordings = (folder: string): string[] =>
  kinds.flatMap((kind) => {
    const at = join(folder, kind);
    const files = existsSync(at) ? readdirSync(at).filter((file) => file.endsWith('.json')) : [];
    return files.map((file) => {
      const path = join(at, file);
      if (statSync(path).isFile() && isRecording(kind, file, readFileSync(path, 'utf8'))) return path;
      throw new UsageError(`--record: ${path} isn't a recording of conformance. Choose another folder.`);
    });
  });

/** Removes earlier recordings and nothing else. Throws `UsageError` before it removes anything. */
const removeRecordings = (folder: string): void => {
  for (const file of findRecordings(folder)) rmSync(file);
  for (const kind of kinds) mkdirSync(join(folder, kind), { recursive: true });
};

/**
 * Replaces the recordings in the folder: one JSON file for each kind of response, refusal and delivery, without
 * personal data, tokens and secrets.
 */
export const saveRecordings = (
  folder: string,
  responses: readonly ServiceResponse[],
  received: readonly Received[],
): void => {
  removeRecordings(folder);
  const recordings = [...responses.flatMap(recordResponse), ...received.flatMap(recordDelivery)];
  // Keeps the first of each kind, which was requested without a filter.
  for (const [file, content] of new Map(recordings.toReversed())) {
    writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
  }
};
