import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { prefixInUse } from '../src/api/adapter';
import { type Endpoint, endpoints, pathPrefix } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { toWire } from '../src/api/translate';
import { methods } from '../src/api/transport';
import { nameOnWire } from '../src/api/wire';
import { call } from '../src/call/call';
import { halt, quote } from '../src/step/errors';
import { readInput } from '../src/step/input';
import { fieldsIn, type OutputField } from '../src/step/output';
import { readText } from '../src/text/fold';

const prefix = prefixInUse();

const afterPrefix = (path: string): string => path.slice(pathPrefix.length + 1);

const { listContacts, getContact, updateContact } = endpoints;
const listPath = afterPrefix(listContacts.path);
const recordPath = afterPrefix(getContact.path).replace('{id}', contact.sample.id);
const tag = nameOnWire('tag', listContacts.query.shape.tag);
const exampleBody = JSON.stringify(toWire(updateContact.body, { first_name: 'Noor' }));

const inputFields = defineInputFields([
  { key: 'method', label: 'Method', required: true, choices: [...methods] },
  {
    key: 'path',
    label: 'Path',
    required: true,
    helpText: `Enter the part of the address after \`${prefix}/\`, such as \`${listPath}\`. Tests in the editor send the request too.`,
    placeholder: recordPath,
  },
  {
    key: 'query',
    label: 'Query',
    dict: true,
    helpText: `Enter names on the left and values on the right, such as \`${tag}\` and \`vip\`.`,
  },
  {
    key: 'body',
    label: 'Body',
    type: 'json',
    helpText: 'For POST, PUT and PATCH requests, enter the body as JSON.',
    placeholder: exampleBody,
  },
]);

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw halt(`Path: ${quote(segment)} contains an invalid % sequence. Enter %25 for a percent sign.`);
  }
};

const withoutPrefix = (path: string): string =>
  `${path}/`.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;

/** Returns the encoded path with its prefix. Throws an error when it would lead elsewhere. */
const readPath = (text: string): string => {
  if (/[?#]/.test(text)) {
    throw halt('Path: remove the ? or # and everything after it. Enter query parameters in Query.');
  }
  const segments = withoutPrefix(`/${text.replace(/^\//, '')}`)
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map(decode);
  if (segments.some((segment) => /^\.{0,2}$|[/\\]|\p{Cc}/u.test(segment))) {
    throw halt(
      `Path: enter only the part after ${prefix}/, such as ${recordPath}. Leave out the host, and any part that is only dots.`,
    );
  }
  return `${pathPrefix}/${segments.map(encodeURIComponent).join('/')}`;
};

const readBody = (method: string, text: string): string => {
  if (method === 'GET') throw halt("Body: a GET request can't have a body. Clear the field, or choose another Method.");
  try {
    JSON.parse(text);
  } catch {
    throw halt("Body: this isn't valid JSON. Look for a missing quote, comma or bracket.");
  }
  return text;
};

const perform = (async (z, bundle) => {
  // Zapier reads what is typed as JSON, and a mapped value may be an object too.
  const { body: given } = bundle.inputData;
  const body = readText(typeof given === 'object' && given !== null ? JSON.stringify(given) : given);
  const input = readInput(inputFields, { ...bundle.inputData, body });
  const endpoint: Endpoint = {
    method: zod.enum(methods).parse(input.method),
    path: readPath(input.path),
    scope: null,
    response: zod.unknown(),
    status: 200,
    basis: 'assumed',
    isRaw: true,
    ...(body && { body: zod.unknown() }),
  };
  const query = input.query ?? {};
  const response = await call(z, endpoint, {
    query,
    body: body && readBody(input.method, body),
    labels: Object.fromEntries(Object.keys(query).map((name) => [name, 'Query'])),
  });
  return { response: response ?? null };
}) satisfies CreatePerform<typeof inputFields, { response: unknown }>;

const listed = { data: [{ id: contact.sample.id }], next_cursor: null };
const sample = { response: toWire(listContacts.response, listed) };

const listFields: OutputField[] = [
  { key: 'response__data[]id', label: 'Record ID', type: 'string' },
  { key: 'response__next_cursor', label: 'Next Cursor', type: 'string' },
];
const hasListFields = fieldsIn(sample, listFields).length === listFields.length;

export default defineCreate({
  key: 'call_api',
  noun: 'Request',
  display: {
    label: 'Call the API',
    description:
      "Sends a request to the API, for tasks that the other actions don't cover. It can change, send or delete anything that the token allows.",
  },
  operation: {
    inputFields,
    perform,
    sample,
    // A service with lists in another form has these elsewhere.
    outputFields: hasListFields ? listFields : [{ key: 'response', label: 'Response' }],
  },
});
