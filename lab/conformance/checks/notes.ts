import { endpoints } from '../../../src/api/endpoints';
import { asRecord, parseJson } from '../../../src/api/json';
import { type Check, Differs, inHook, NotChecked, Skipped } from '../check';
import { readJson } from '../json';
import { type Records, reads } from '../records';
import { type AnyRecord, readPage } from '../response';
import type { ServiceClient, ServiceResponse } from '../service-client';

/** The names of fields that mark a note, an activity or another record that nobody sent. */
const flag = /^(?:is_?)?(?:private|internal|note|system|activity|hidden)(?:_?note)?$/i;
const kind = /^(?:\w+_)?(?:type|kind|direction|visibility|category)$/i;
const word = /^(?:\w+[ _-])?(?:note|notes|comment|activity|system|internal|private|event)(?:[ _-]\w+)?$/i;

/** What a flag may be, since some services write numbers. */
const flagValues: readonly unknown[] = [true, false, 1, 0];

/** A record of the service as it came, the field that may mark it, and whether it does. */
interface Marked {
  record: Readonly<Record<string, unknown>>;
  field: string;
  isMarked: boolean;
}

const markOf = (record: Readonly<Record<string, unknown>>): Marked[] =>
  Object.entries(record).flatMap(([field, value]) => {
    if (flag.test(field) && flagValues.includes(value)) return { record, field, isMarked: Boolean(value) };
    return kind.test(field) && typeof value === 'string' && word.test(value) ? { record, field, isMarked: true } : [];
  });

/** Returns a delivery whose record is marked as a note, by a field that it has; undefined without such a field. */
export const asNote = (content: string, id: unknown): { field: string; content: string } | undefined => {
  let field: string | undefined;
  const mark = (name: string, value: unknown): unknown => {
    if (!flag.test(name) || !flagValues.includes(value)) return value;
    field = name;
    return typeof value === 'number' ? 1 : true;
  };
  const marked = JSON.stringify(readJson(content), (_name, value: unknown) => {
    if (String(asRecord(value).id) !== String(id)) return value;
    return Object.fromEntries(Object.entries(asRecord(value)).map(([name, each]) => [name, mark(name, each)]));
  });
  return field === undefined ? undefined : { field, content: marked };
};

/** A list of messages or conversations has no deeper records. */
const maxDepth = 4;

const recordsIn = (value: unknown, depth = 0): Readonly<Record<string, unknown>>[] => {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  return [asRecord(value), ...Object.values(value).flatMap((each) => recordsIn(each, depth + 1))];
};

/** Whether the app takes a record for a message. */
export const isMessage = ({ direction }: AnyRecord): boolean => direction === 'inbound' || direction === 'outbound';

/** What the app takes for messages: the ids of listed ones, and the texts of the last ones of conversations. */
const takenFrom = (found: readonly AnyRecord[]): Set<string> => {
  const texts = found.flatMap(({ last_message: last }) => String(asRecord(last).text ?? '') || []);
  return new Set([...found.filter(isMessage).map(({ id }) => String(id)), ...texts]);
};

/** The conversations to look through for a note. Each run with --to may add a newest one, which has none. */
const maxLists = 30;

/** Reads the list, or the lists of several conversations until one has a note. */
const readAll = async function* (service: ServiceClient, records: Records, endpoint: (typeof reads)[number][1]) {
  yield await records.read(endpoint);
  for (const input of (await records.inputs(endpoint)).slice(1, maxLists)) yield await service.request(endpoint, input);
};

/** Returns a record with a field that may mark notes, and that marks none. */
const openIn = (seen: readonly Marked[]): Marked | undefined => {
  const fields = new Set(seen.flatMap(({ field, isMarked }) => (isMarked ? [field] : [])));
  return seen.find(({ field }) => !fields.has(field));
};

const requireNotTaken = (marked: readonly Marked[], response: ServiceResponse, todo: string): void => {
  const messages = takenFrom(readPage(response).records);
  const taken = marked.find(
    ({ record, isMarked }) => isMarked && Object.values(record).some((value) => messages.has(String(value))),
  );
  if (!taken) return;
  const value = JSON.stringify(taken.record[taken.field]);
  throw new Differs(
    `a record with \`${taken.field}\`: ${value} is taken for a message, so a note could start a Zap or reach a customer`,
    todo,
  );
};

const checkNotes = async (
  service: ServiceClient,
  records: Records,
  [name, endpoint]: (typeof reads)[number],
): Promise<string> => {
  const seen: Marked[] = [];
  let count = 0;
  for await (const response of readAll(service, records, endpoint)) {
    count += readPage(response).records.length;
    const marked = recordsIn(parseJson(response.text)).flatMap(markOf);
    requireNotTaken(marked, response, `Return undefined for it where ${inHook(name, 'response')} reads a record.`);
    seen.push(...marked);
    if (seen.length > 0 && !openIn(seen)) return 'notes are no messages';
  }
  const open = openIn(seen);
  if (open)
    throw new NotChecked(
      `messages have \`${open.field}\`, which may mark internal notes: write one, and run the command again`,
    );
  if (count === 0) throw new Skipped('add a record to look at');
  return 'no record has a mark that this check knows';
};

const withMessages = [endpoints.listMessages, endpoints.listConversationMessages, endpoints.listConversations];

/** Checks that no note of colleagues, and no other record that isn't a message, is taken for one. */
export const noteChecks = (service: ServiceClient, records: Records): Check[] =>
  reads
    .filter(([, { response }]) => withMessages.some((each) => each.response === response))
    .map((each) => ({ name: `${each[0]}, without notes`, run: () => checkNotes(service, records, each) }));
