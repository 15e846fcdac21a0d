import { endpoints } from '../../../src/api/endpoints';
import { fieldsOf } from '../../../src/api/object';
import { type AnyRecord, readPage } from '../compare/response';
import { readJson } from '../json';
import type { ServiceResponse } from '../service-client';
import { type Check, Differs, NotChecked } from './check';
import { type Records, reads, requireSome } from './records';

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

/** A list of messages or conversations has no deeper records. */
const maxDepth = 4;

const recordsIn = (value: unknown, depth = 0): Readonly<Record<string, unknown>>[] => {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  return [fieldsOf(value), ...Object.values(value).flatMap((each) => recordsIn(each, depth + 1))];
};

const isMessage = ({ direction }: AnyRecord): boolean => direction === 'inbound' || direction === 'outbound';

/** What the app takes for messages: the ids of listed ones, and the texts of the last ones of conversations. */
const takenFrom = (found: readonly AnyRecord[]): Set<string> => {
  const texts = found.flatMap(({ last_message: last }) => String(fieldsOf(last).text ?? '') || []);
  return new Set([...found.filter(isMessage).map(({ id }) => String(id)), ...texts]);
};

/** Throws when the app takes a note for a message, or when a field may mark notes and no record shows what it does. */
const requireNoNotes = (response: ServiceResponse): string => {
  const marked = recordsIn(readJson(response.text)).flatMap(markOf);
  const { records } = readPage(response);
  requireSome(records);
  const messages = takenFrom(records);
  const taken = marked.find(
    ({ record, isMarked }) => isMarked && Object.values(record).some((value) => messages.has(String(value))),
  );
  if (taken) {
    const value = JSON.stringify(taken.record[taken.field]);
    throw new Differs(
      `a record with \`${taken.field}\`: ${value} is taken for a message, so a note could start a Zap or reach a customer`,
    );
  }
  const open = marked.find(({ field }) => !marked.some((each) => each.field === field && each.isMarked));
  if (!open) return marked.length > 0 ? 'notes are no messages' : 'no record has a mark that this check knows';
  throw new NotChecked(
    `messages have \`${open.field}\`, which may mark internal notes: write one, and run the command again`,
  );
};

const withMessages = [endpoints.listMessages, endpoints.listConversationMessages, endpoints.listConversations];

/** Checks that no note of colleagues, and no other record that isn't a message, is taken for one. */
export const noteChecks = (records: Records): Check[] =>
  reads
    .filter(([, { response }]) => withMessages.some((each) => each.response === response))
    .map(([name, endpoint]) => ({
      name: `${name}, without notes`,
      run: async () => requireNoNotes(await records.read(endpoint)),
    }));
