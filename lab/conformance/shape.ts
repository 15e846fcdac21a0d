/** Compares records with the contract: what a step can't read, and what it copes with. */
import * as z from 'zod/mini';
import { tolerant } from '../../src/api/decode';
import { e164, readE164 } from '../../src/api/e164';
import { type Endpoint, nameOf } from '../../src/api/endpoints';
import { elementOf, innerOf, isTime, kindOf, wordsOf } from '../../src/api/fields';
import { withoutMissing } from '../../src/api/missing';
import * as resources from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { Differs, type Findings, inHook, leaveOut } from './check';
import { readPage } from './response';
import type { ServiceResponse } from './service-client';

type Schema = z.core.$ZodType;

/** Returns the schema of each record of a list; undefined if the response isn't a list. */
export const recordOf = ({ response }: Endpoint): z.ZodMiniObject | undefined => {
  const data = response instanceof z.ZodMiniObject ? response.def.shape.data : undefined;
  const record = data && elementOf(data);
  return record instanceof z.ZodMiniObject ? record : undefined;
};

/** Returns the name of the record that a call returns, such as `contact`. */
export const resourceOf = (endpoint: Endpoint): string => {
  const { _zod: schema } = recordOf(endpoint) ?? endpoint.response;
  const found = Object.entries(resources).find(([, each]) => Object(each).schema?.def === schema.def);
  return found?.[0] ?? 'webhook';
};

/** The words that a service used in a whole run, by the list that they belong to. */
export class Words {
  readonly #lists = new Map<readonly string[], { isKnown: boolean; unknown: Set<string>; at: string }>();

  add(words: readonly string[], word: string, at: string): void {
    const list = this.#lists.get(words) ?? { isKnown: false, unknown: new Set(), at };
    this.#lists.set(words, list);
    if (words.includes(word)) list.isKnown = true;
    else list.unknown.add(word);
  }

  /** Adds the words that are ours in another spelling, and the lists of which the service uses no word of ours. */
  judge(found: Findings): string {
    const plain = (word: string) => word.replace(/[^a-z0-9]/gi, '').toLowerCase();
    for (const [words, { isKnown, unknown, at }] of this.#lists) {
      const wrong = [...unknown].filter((each) => !isKnown || words.some((word) => plain(word) === plain(each)));
      const shown = (some: readonly string[]) =>
        some
          .slice(0, 4)
          .map((word) => `"${word.slice(0, 40)}"`)
          .join(', ');
      if (wrong.length > 0)
        found.differs(`${at} has the unknown words ${shown(wrong)}`, `Return one of ${shown(words)} in the hook.`);
      else if (unknown.size > 0) found.copes(`${at} also has the words ${shown([...unknown])}`);
    }
    return `${this.#lists.size} lists`;
  }
}

/** Where a value is: the call or event that it came with, the record, and the path of our names in the record. */
interface Place {
  call: EndpointName | undefined;
  record: string;
  path: readonly string[];
  found: Findings;
  words: Words;
}

const nameAt = ({ record, path }: Place): string => `\`${[record, ...path].join('.')}\``;

const unwrap = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
};

const isOptional = (schema: Schema): boolean => schema instanceof z.ZodMiniOptional;

const isNullable = (schema: Schema): boolean =>
  schema instanceof z.ZodMiniNullable || (schema instanceof z.ZodMiniOptional && isNullable(schema.def.innerType));

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'number' ? 'a number' : 'text';
};

const typeWanted = (schema: Schema): string => {
  if (schema instanceof z.ZodMiniObject) return 'an object';
  if (schema instanceof z.ZodMiniArray) return 'a list';
  if (schema instanceof z.ZodMiniNumber) return 'a number';
  return schema instanceof z.ZodMiniBoolean ? 'true or false' : 'text';
};

/** Whether a text is a time in the form of the contract. */
export const isIsoTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);

const hasOffset = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT.*[+-]\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The records whose fields the list `missing` may have. */
const leavable = ['template', 'contact', 'conversation', 'message', 'campaign'];

const tell = (place: Place, problem: string, isOptionalField: boolean): void => {
  const { call, record, path } = place;
  const [field] = path;
  const hook = call
    ? `Return it as the contract has it in ${inHook(call, 'response')}`
    : 'Return it as the contract has it in `delivery`';
  const canLeave = isOptionalField && field !== undefined && leavable.includes(record);
  const todo = `${hook}${canLeave ? `, or ${leaveOut('fields', `${record}.${field}`)}` : ''}.`;
  place.found.differs(`${nameAt(place)} ${problem}`, todo);
};

const compareText = (schema: Schema, text: string, place: Place, isOptionalField: boolean): void => {
  const words = wordsOf(schema);
  if (words) place.words.add(words, text, nameAt(place));
  if (isTime(schema) && !isIsoTime(text)) {
    if (hasOffset(text)) place.found.copes(`${nameAt(place)} is a time with an offset`);
    else tell(place, "isn't an ISO 8601 time with Z", isOptionalField);
  }
  if (kindOf(schema) === 'phone' && !e164.test(text)) {
    if (readE164(text)) place.found.copes(`${nameAt(place)} is a phone number in another form`);
    else tell(place, "isn't a phone number with a plus", isOptionalField);
  }
};

/** Whether the app reads a value of another type as one of this schema. `isItem`: it's in a list, or under any name. */
const readsAs = (schema: Schema, value: unknown, isItem: boolean): boolean => {
  if (isItem && unwrap(schema) instanceof z.ZodMiniString) return ['number', 'boolean'].includes(typeof value);
  const read = z.safeParse(tolerant(z.object({ value: schema })), { value }).data;
  return (Object(read).value ?? null) !== null;
};

const compareValue = (outer: Schema, value: unknown, place: Place, isItem = false): void => {
  const schema = unwrap(outer);
  const canLack = isOptional(outer);
  if (value === undefined) {
    if (!canLack) tell(place, 'is missing', canLack);
    return;
  }
  if (schema instanceof z.ZodMiniUnknown || (value === null && isNullable(outer))) return;
  const [is, wanted] = [typeOf(value), typeWanted(schema)];
  if (is !== wanted) {
    if (readsAs(outer, value, isItem)) place.found.copes(`${nameAt(place)} is ${is}, not ${wanted}`);
    else tell(place, `is ${is}, not ${wanted}`, canLack);
    return;
  }
  if (typeof value === 'string') compareText(schema, value, place, canLack);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value))
    for (const item of value) compareValue(schema.def.element, item, place, true);
  if (schema instanceof z.ZodMiniObject) compareFields(schema, Object(value), place);
};

const compareFields = (schema: z.ZodMiniObject, value: Record<string, unknown>, place: Place): void => {
  const { shape, catchall = z.unknown() } = schema.def;
  const fields = place.path.length === 0 ? withoutMissing(place.record, shape) : shape;
  for (const [name, field] of Object.entries(fields))
    if (field) compareValue(field, value[name], { ...place, path: [...place.path, name] });
  // An object without declared fields holds values of one type under any name.
  if (Object.keys(shape).length > 0) return;
  for (const [name, each] of Object.entries(value))
    compareValue(catchall, each, { ...place, path: [...place.path, name] }, true);
};

/** Compares a record of an event with the contract. */
export const compareRecord = (schema: Schema, value: unknown, record: string, found: Findings, words: Words): void =>
  compareValue(schema, value, { call: undefined, record, path: [], found, words });

/** Compares the records in a response with the contract. */
export const compareResponse = (response: ServiceResponse, found: Findings, words: Words): void => {
  const { endpoint, body } = response;
  const record = recordOf(endpoint);
  const place = { call: nameOf(endpoint), record: resourceOf(endpoint), path: [], found, words };
  for (const each of record ? readPage(response).records : [body])
    compareValue(record ?? endpoint.response, each, place);
  const failure = found.differences.length > 0 ? undefined : response.failure();
  if (failure !== undefined)
    throw new Differs(
      `a step can't use the response: ${failure}`,
      'Give a failure the status of a refusal in `response`.',
    );
};
