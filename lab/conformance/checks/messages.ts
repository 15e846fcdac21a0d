import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../../src/api/endpoints';
import { exists, withoutMissing } from '../../../src/api/missing';
import { parseRefusal } from '../../../src/api/refusal';
import { type Check, Differs, type Findings, inHook, leaveOut, memoize, NotChecked } from '../check';
import { readJson } from '../json';
import { type ComposedMessage, composeMessage } from '../message-body';
import type { Options } from '../options';
import type { Records } from '../records';
import { type AnyRecord, createdId, readRecord, requireRefusal, requireSuccess } from '../response';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { compareResponse, type Words } from '../shape';
import { type Creation, replayChecks } from './creation';

const { sendMessage, getMessage, listTemplates, triggerCampaign } = endpoints;

/** One message, which is sent when a check first reads its response. */
export interface TestMessage extends Creation {
  composed: () => Promise<ComposedMessage>;
}

/** Prepares a message to the number without sending it. */
export const prepareMessage = (
  service: ServiceClient,
  records: Records,
  { to = '', message }: Pick<Options, 'to' | 'message'>,
): TestMessage => {
  const idempotencyKey = randomUUID();
  const composed = memoize(async () => {
    const templates = exists('listTemplates') ? await records.read(listTemplates) : undefined;
    return composeMessage(templates, to, message);
  });
  const send = async () => service.request(sendMessage, { ...(await composed()), idempotencyKey });
  return { composed, response: memoize(send), repeat: send };
};

/** Throws `NotChecked` when the service refuses the person, since that says nothing about the API. */
const requireRecipient = ({ status, body }: ServiceResponse): void => {
  const { code } = parseRefusal(status, body);
  if (code === 'recipient_opted_out' || code === 'recipient_unreachable')
    throw new NotChecked(`the service refuses this person (${code}): choose another number with --to`);
};

/** Adds what a message says about itself that isn't true of one that a Zap has just sent. */
const requireOwn = (
  record: AnyRecord,
  name: 'sendMessage' | 'getMessage',
  sent: ComposedMessage['body'],
  found: Findings,
): void => {
  const { channel, to, template } = sent;
  const known = withoutMissing('message', { channel, to, template, direction: 'outbound', source: 'api' });
  for (const [field, value] of Object.entries(known)) {
    if ((record[field] ?? value) === value) continue;
    const todo = `Correct it in ${inHook(name, 'response')}, or ${leaveOut('fields', `message.${field}`)}.`;
    const consequence = field === 'source' ? ", so New Outbound Message would start on a Zap's own message" : '';
    found.differs(`\`${field}\` of the message is "${record[field]}" and not "${value}"${consequence}`, todo);
  }
};

/** More than clocks differ by, and less than time zones do. */
const maxSkewMs = 10 * 60 * 1000;

/** Adds that a message which was just sent has another time than the response, as one in a local time does. */
const requireNow = ({ headers }: ServiceResponse, { created_at }: AnyRecord, found: Findings): void => {
  const skew = Math.abs(Date.parse(String(created_at)) - Date.parse(headers.get('date') ?? ''));
  // Without a time or a Date, nobody knows.
  if (Number.isNaN(skew) || skew <= maxSkewMs) return;
  found.differs(
    `\`created_at\` is ${Math.round(skew / 60_000)} minutes from the time of the response, so a reply from before the message could count`,
    `Write times in UTC in ${inHook('sendMessage', 'response')}, and in every other hook that returns one.`,
  );
};

/** Checks that a message is sent as asked, and only once. */
export const messageChecks = (service: ServiceClient, message: TestMessage, words: Words): Check[] => {
  const send: Check['run'] = async (found) => {
    const sent = await message.response();
    requireRecipient(sent);
    requireSuccess(sent);
    compareResponse(sent, found, words);
    requireOwn(readRecord(sent), 'sendMessage', (await message.composed()).body, found);
    requireNow(sent, readRecord(sent), found);
    return `${sent.status}`;
  };
  /** Returns the body of the request that sends the message with other details. */
  const bodyWith = async (details: object) => {
    const { body, versions } = await message.composed();
    const { request } = await service.prepare(sendMessage, { body: { ...body, ...details }, versions });
    return readJson(String(request.body));
  };
  /** The fields of a Zap may have another order than the variables of the template. */
  const takeByName = async (): Promise<string> => {
    const { variables } = (await message.composed()).body;
    const reversed = Object.fromEntries(Object.entries(variables).toReversed());
    if (isDeepStrictEqual(await bodyWith({ variables }), await bodyWith({ variables: reversed }))) return 'by name';
    throw new Differs(
      'the variables are taken by their order, so values would arrive swapped',
      `Take each by its name in ${inHook('sendMessage', 'request')}, as \`writeComponents\` of the presets does.`,
    );
  };
  /** A hook may look the person up by a search, which also finds others for a part of a number. */
  const takeWholeNumber = async (): Promise<string> => {
    const { to } = (await message.composed()).body;
    // A hook that finds nobody throws.
    const other = await bodyWith({ to: to.slice(0, -1) }).catch(() => undefined);
    if (!isDeepStrictEqual(await bodyWith({ to }), other)) return 'the whole number';
    throw new Differs(
      'a message to a number without its last digit goes to the same person, so a stranger could get it',
      `Compare the whole number of whom a search finds with \`to\` in ${inHook('sendMessage', 'request')}, and throw an error unless exactly one has it.`,
    );
  };
  const get: Check['run'] = async (found) => {
    const got = await service.request(getMessage, { id: createdId(await message.response()) });
    requireSuccess(got);
    compareResponse(got, found, words);
    requireOwn(readRecord(got), 'getMessage', (await message.composed()).body, found);
    return `${got.status}`;
  };
  return [
    { name: 'sendMessage, variables', run: takeByName },
    { name: 'sendMessage, recipient', run: takeWholeNumber },
    { name: 'sendMessage', run: send },
    ...replayChecks(sendMessage, message),
    ...(exists('getMessage') ? [{ name: 'getMessage, of what was sent', run: get }] : []),
  ];
};

/** How often, and after how many milliseconds, to look whether a message has failed. */
const failure = { tries: 3, ms: 1_000 };

/** Whether a message that the service accepted has failed since. */
const hasFailed = async (service: ServiceClient, response: ServiceResponse): Promise<boolean> => {
  let { status } = readRecord(response);
  for (let tries = 0; status !== 'failed' && exists('getMessage') && tries < failure.tries; tries += 1) {
    await sleep(failure.ms);
    ({ status } = readRecord(await service.request(getMessage, { id: createdId(response) })));
  }
  return status === 'failed';
};

/** Checks that a message to somebody who has opted out is refused. The app relies on it, since no step looks. */
export const optOutChecks = (service: ServiceClient, message: TestMessage, to: string): Check[] => {
  const run: Check['run'] = async (found) => {
    const { body, versions } = await message.composed();
    const idempotencyKey = randomUUID();
    const response = await service.request(sendMessage, { body: { ...body, to }, versions, idempotencyKey });
    if (response.status >= 300) return requireRefusal(response, 'recipient_opted_out');
    if (!(await hasFailed(service, response)))
      throw new Differs(
        'the service accepts a message to somebody who has opted out',
        `Ask it to refuse such messages in ${inHook('sendMessage', 'request')}, usually by a field of the request.`,
      );
    found.copes('a message to somebody who has opted out is accepted, and fails later');
    return '';
  };
  return [{ name: 'sendMessage, to somebody who opted out', run }];
};

/** Checks that a test campaign starts for its audience, and only once under one key. */
export const campaignChecks = (service: ServiceClient, id: string, words: Words): Check[] => {
  const idempotencyKey = randomUUID();
  const start = async () => service.request(triggerCampaign, { id, body: {}, idempotencyKey });
  const started = memoize(start);
  const run: Check['run'] = async (found) => {
    const response = await started();
    requireSuccess(response);
    compareResponse(response, found, words);
    return `${response.status}`;
  };
  return [{ name: 'triggerCampaign', run }, ...replayChecks(triggerCampaign, { response: started, repeat: start })];
};
