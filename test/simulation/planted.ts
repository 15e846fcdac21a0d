/** Bugs to plant: for each promise that a world can see, what would break it. The judge must notice every one. */

/** An edit of one place of the app. */
export interface Planted {
  id: string;
  /** What README, SECURITY or the questions promise, which the edit breaks. */
  promise: string;
  file: string;
  from: string;
  to: string;
  /** The plan whose worlds notice it, unless that's any. */
  plan?: string;
}

const plant = (id: string, promise: string, file: string, from: string, to: string): Planted => ({
  id,
  promise,
  file,
  from,
  to,
});

const plantInWaits = (...bug: Parameters<typeof plant>): Planted => ({ ...plant(...bug), plan: 'waits' });

const once = 'Send once per order.';
const certainNumber = 'The app reads the right phone number, or the step stops.';
const provesNobody = 'What anybody can type proves nobody.';
const failsClosed = 'Fields that prevent harm fail closed.';
const retry = 'A retry never sends a second message.';
const success = 'A success really happened.';
const oneReply = 'One reply answers one question.';
const ownWebhook = "A wait deletes its own webhook and nobody else's.";
const onePerson = "The app doesn't take one person for another.";
const complete = 'A search finds all that there is, and says so.';
const true_ = 'What a result says is what the service holds.';
const event = 'Every event that a Zap wants starts it once.';
const token = 'No result, error message or log line contains the token.';

/** The bugs, each by itself. */
export const planted: readonly Planted[] = [
  // Sending
  plant('no-key', retry, 'src/api/endpoints.ts', "idempotencyKey: 'idempotency-key'", "idempotencyKey: 'x-ignored'"),
  plant(
    'key-without-person',
    once,
    'src/forms/message-form.ts',
    'bundle, channel, template, to);',
    'bundle, channel, template);',
  ),
  plant(
    'key-without-template',
    once,
    'src/forms/message-form.ts',
    'bundle, channel, template, to);',
    'bundle, channel, to);',
  ),
  plant(
    'campaign-key-without-person',
    once,
    'creates/trigger-campaign.ts',
    "bundle, 'campaign', id, to);",
    "bundle, 'campaign', id);",
  ),
  plant('lost-key', failsClosed, 'src/forms/deduplication.ts', '  refuseLostValue(deduplicationField, bundle);\n', ''),
  plant(
    'lost-max',
    failsClosed,
    'creates/trigger-campaign.ts',
    'for (const field of savedAudienceFields) refuseLostValue(field, bundle);',
    '',
  ),
  plant('lost-tester', failsClosed, 'src/forms/recipient.ts', '  refuseLostValue(testRecipientField, bundle);\n', ''),
  plant(
    'tester',
    'Test on your own phone.',
    'src/forms/recipient.ts',
    'if (!tester) return customer;',
    'return customer;',
  ),
  plant(
    'account-tester',
    'Test on your own phone.',
    'src/forms/recipient.ts',
    'input.test_recipient ?? (await readTestRecipient(authData))',
    'input.test_recipient',
  ),
  plant(
    'max-recipients',
    'A campaign for an audience needs Maximum Recipients.',
    'creates/trigger-campaign.ts',
    'if (size > max) {',
    'if (size > 2 * max) {',
  ),
  plant(
    'unknown-audience',
    'A campaign for an audience needs Maximum Recipients.',
    'creates/trigger-campaign.ts',
    "if (typeof size !== 'number') {",
    'if (size === undefined) {',
  ),
  plant(
    'several-numbers',
    certainNumber,
    'src/formats/phone-number.ts',
    'if (joinsNumbers(number, home)) throw severalNumbers(label);',
    '',
  ),
  plant(
    'ambiguous-number',
    certainNumber,
    'src/formats/phone-number.ts',
    'if (other) throw ambiguousNumber(label, text, one.number, other.number);',
    '',
  ),
  plant(
    'no-country',
    certainNumber,
    'src/forms/message-form.ts',
    'input.default_country ?? bundle.authData.default_country',
    "input.default_country ?? 'DE'",
  ),
  plant(
    'hidden-number',
    certainNumber,
    'src/forms/message-form.ts',
    '  refuseHiddenNumber(bundle);\n  const { channel, template, ...input } = readInput(fields, bundle.inputData);',
    "  const { channel, template, ...input } = readInput(fields, { ...bundle.inputData, to: bundle.inputData.to || '+12025550123' });",
  ),
  plant(
    'countries',
    'No message goes where a stranger could earn by it.',
    'src/formats/phone-number.ts',
    'const isAllowed = allowed.length === 0 ||',
    'const isAllowed = true ||',
  ),
  plant(
    'premium',
    'No message goes where a stranger could earn by it.',
    'src/formats/phone-number.ts',
    'if (isUnsafe(number)) throw',
    'if (!number) throw',
  ),
  plant(
    'token-in-input',
    'A step sends nothing if its input contains the token.',
    'src/forms/refuse-token.ts',
    'if (stepKey) throw',
    'if (stepKey && accountKey) throw',
  ),
  plant(
    'unapproved',
    'The form shows what is sent.',
    'src/forms/template.ts',
    "passesFilters(version, { status: 'approved' });",
    'passesFilters(version, {});',
  ),
  plant(
    'lower-case',
    'The form shows what is sent.',
    'src/forms/variables.ts',
    '\n  return text;\n};\n\n/** Matches',
    '\n  return text.toLowerCase();\n};\n\n/** Matches',
  ),
  plant(
    'wrong-zone',
    'The form shows what is sent.',
    'src/forms/variables.ts',
    'const time = readTime(text, timeZone);',
    "const time = readTime(text, 'Asia/Tokyo');",
  ),
  plant(
    'ambiguous-date',
    'Stop rather than guess.',
    'src/forms/variables.ts',
    'if (!date)\n      throw',
    'if (!date && false)\n      throw',
  ),
  plant(
    'campaign-already-sent',
    once,
    'creates/trigger-campaign.ts',
    'return callOnce(z, endpoints.triggerCampaign, { id, body: {}, idempotencyKey });',
    'return { ...(await callOnce(z, endpoints.triggerCampaign, { id, body: {}, idempotencyKey })), already_sent: true };',
  ),
  // The service fails
  plant(
    'no-halt',
    retry,
    'src/http/failure.ts',
    'isUncertain && isUnsafeToRepeat(endpoint, input);',
    'isUncertain && !isUncertain;',
  ),
  plant(
    'in-flight',
    retry,
    'src/http/outcome.ts',
    "outcome.refusal?.code === 'idempotency_in_flight'",
    "outcome.refusal?.code === 'in_flight'",
  ),
  plant('rate-limit', 'Errors say what to do next.', 'src/http/retry-after.ts', 'Number(value)', '1'),
  plant('gateway', retry, 'src/http/outcome.ts', 'status === 503 && (', 'status >= 500 && (status > 0 || '),
  plant(
    'error-in-200',
    success,
    'src/http/decode-response.ts',
    'if (!isFailed && !reportsFailure(',
    'if (!isFailed || !reportsFailure(',
  ),
  plant(
    'failed-at-once',
    success,
    'src/http/decode-response.ts',
    '(isFailedStatus(status) || isReported(failed_at))',
    'isFailedStatus(status) && !isReported(status)',
  ),
  plant(
    'token-in-texts',
    token,
    'src/http/scrub.ts',
    'if (token.length < minTokenLength) return (text) => text;',
    'if (token.length > 0) return (text) => text;',
  ),
  plant(
    'token-in-delivery',
    token,
    'src/webhooks/delivery.ts',
    'body: parseJson(raw.content) }), scrub)',
    'body: parseJson(raw.content) }), (text) => text)',
  ),
  // Contacts
  plant(
    'opt-out',
    provesNobody,
    'creates/upsert-contact.ts',
    "mayChangeConsent || contact.consent === 'opted_out' ?",
    'mayChangeConsent || contact.consent ?',
  ),
  plant(
    'replaces',
    provesNobody,
    'creates/upsert-contact.ts',
    "return onDifference === 'replace' ? contact[field] : undefined;",
    'return contact[field];',
  ),
  plant('two-match', provesNobody, 'src/polling/contacts.ts', 'if (others.length > 0) throw differentContacts();', ''),
  plant(
    'shared-email',
    provesNobody,
    'src/polling/contacts.ts',
    'if (found.length > 1) throw severalMatch',
    'if (!found) throw severalMatch',
  ),
  plant(
    'no-existing-id',
    success,
    'src/polling/contacts.ts',
    "exists('listContacts') ? await listByIdentity",
    'id ? await listByIdentity',
  ),
  plant(
    'tags-replaced',
    'An existing contact keeps its other tags.',
    'creates/upsert-contact.ts',
    'body: { ...changes, add_tags }',
    'body: { ...changes, tags: add_tags }',
  ),
  plant(
    'tags-dropped',
    'An existing contact keeps its other tags.',
    'creates/update-contact.ts',
    'const changes = { ...person, add_tags, remove_tags, attributes };',
    'const changes = { ...person, add_tags: remove_tags, attributes };',
  ),
  plant(
    'writes-nothing',
    success,
    'creates/upsert-contact.ts',
    '  return call(z, endpoints.updateContact, { id: existing.id,',
    '  return existing ?? call(z, endpoints.updateContact, { id: existing.id,',
  ),
  plant(
    'deletes-nothing',
    success,
    'creates/delete-contact.ts',
    'await call(z, endpoints.deleteContact, { id });',
    'await call(z, endpoints.getContact, { id });',
  ),
  // Searches
  plant(
    'first-page',
    complete,
    'src/polling/history.ts',
    'const isLast = !next ||',
    'const isLast = pages > 0 || !next ||',
  ),
  plant(
    'half-complete',
    complete,
    'src/polling/history.ts',
    'const isComplete = !hasOlder && !isCut && !isAnyPartial;',
    'const isComplete = records.length >= 0;',
  ),
  plant('no-reply', complete, 'searches/find-reply.ts', 'if (!answer) return [];', 'if (answer || !answer) return [];'),
  plant('quiet', complete, 'searches/find-conversations.ts', '&& isQuiet(quietSince, each)', ''),
  plant(
    'days-ago',
    complete,
    'src/formats/relative-time.ts',
    "return daysBefore(now, unit === 'week' ? 7 * count : count, timeZone);",
    "return new Date(now.getTime() - (unit === 'week' ? 7 * count : count) * dayMs);",
  ),
  plant(
    'yesterday',
    complete,
    'src/formats/relative-time.ts',
    "name === 'yesterday' ? today - dayMs : today",
    "name === 'yesterday' ? today : today",
  ),
  plant(
    'namesake',
    'Stop rather than guess.',
    'src/polling/ambiguity.ts',
    'if (best && best.rank === next?.rank) throw severalMatch(ambiguity);',
    '',
  ),
  plant(
    'listed-side',
    true_,
    'src/messages/transcript.ts',
    "if (message.direction === 'outbound') return writers.us;",
    "if (message.direction === 'inbound') return writers.us;",
  ),
  plant(
    'called-us',
    onePerson,
    'src/messages/person-name.ts',
    'plain.test(part) && !isReserved(part) ? part',
    'plain.test(part) ? part',
  ),
  plant(
    'waiting',
    true_,
    'src/messages/waiting.ts',
    "if (writer !== 'contact') return false;",
    "if (writer !== 'us') return false;",
  ),
  plant('odd-writer', true_, 'src/messages/waiting.ts', '  if (!writer) return null;', '  if (!writer) return false;'),
  plant(
    'odd-left-out',
    complete,
    'searches/find-conversations.ts',
    "if (choice === undefined || choice === 'any' || !writer) return true;",
    "if (choice === undefined || choice === 'any') return true;",
  ),
  plant('contact-tag', true_, 'triggers/new-contact.ts', 'query: { ...page, tag }', 'query: { ...page }'),
  plant(
    'minutes-waiting',
    true_,
    'src/messages/waiting.ts',
    '(now - since) / minuteMs',
    '(now - since) / minuteMs / 60',
  ),
  plant(
    'line-side',
    true_,
    'src/messages/transcript.ts',
    "  ['inbound', 'From'],\n  ['outbound', 'To'],",
    "  ['inbound', 'To'],\n  ['outbound', 'From'],",
  ),
  // Waiting
  plant(
    'question-as-text',
    oneReply,
    'creates/send-message-and-wait.ts',
    '  reply_text: textOf(reply),',
    '  reply_text: textOf(sent),',
  ),
  plant(
    'sent-is-reply',
    true_,
    'creates/send-message-and-wait.ts',
    '  sent: toSentPart(sent),',
    '  sent: toSentPart(reply),',
  ),
  plant('minutes', true_, 'src/messages/reply.ts', 'Math.round(minutes)', 'Math.floor(minutes)'),
  plant(
    'newest-reply',
    oneReply,
    'src/messages/answer.ts',
    "lines.find(({ verdict }) => verdict === 'certain') ?? lines[0] ?? {};",
    "lines.findLast(({ verdict }) => verdict === 'certain') ?? lines.at(-1) ?? {};",
  ),
  plant(
    'quotes',
    oneReply,
    'src/messages/answer.ts',
    "return other && isOurs(other) ? 'no' : 'unknown';",
    'return undefined;',
  ),
  plant('other-channel', oneReply, 'src/messages/answer.ts', '  !cameAnotherWay(line, question) &&', ''),
  plant(
    'any-question',
    oneReply,
    'src/messages/answer.ts',
    "return surelyFollows(line, sent, messages, places) ? 'certain' : 'doubtful';",
    "return 'certain';",
  ),
  plant(
    'anybody',
    onePerson,
    'src/messages/same-person.ts',
    "if (number && otherNumber) return number === otherNumber ? 'yes' : 'no';",
    "if (number && otherNumber) return 'yes';",
  ),
  plant(
    'no-look',
    oneReply,
    'src/webhooks/wait.ts',
    'if (webhook.isGapless) return waits;',
    'if (waits) return waits;',
  ),
  plant(
    'no-echo',
    oneReply,
    'src/webhooks/reply-webhook.ts',
    'isGapless: String(webhook.filters?.after) === sent.id',
    'isGapless: webhook.id !== sent.id',
  ),
  plant('unlimited', oneReply, 'src/webhooks/reply-webhook.ts', 'isLimitedTo(webhook, person)', 'Boolean(webhook.id)'),
  plantInWaits(
    'other-webhooks',
    ownWebhook,
    'src/webhooks/reply-webhook.ts',
    'factsIn(url)?.wait === wait',
    'factsIn(url) !== undefined',
  ),
  plant(
    'webhook-stays',
    ownWebhook,
    'src/webhooks/wait.ts',
    '.finally(() => discardWebhook(z, webhook_id))',
    '.finally(() => webhook_id)',
  ),
  plantInWaits(
    'line-before',
    oneReply,
    'src/messages/answer.ts',
    "(person === 'no' || cameAfter(line, sent, places) === 'no')",
    "person === 'no'",
  ),
  plantInWaits(
    'no-callback',
    oneReply,
    'src/webhooks/wait.ts',
    'if (found.reply && !(await resumeWith(z, url, found.reply)))',
    'if (!found)',
  ),
  plantInWaits(
    'callback-first',
    oneReply,
    'src/webhooks/awaited-reply.ts',
    "if (!id || early?.verdict === 'certain') return early",
    'if (!id) return early',
  ),
  plantInWaits(
    'believed-callback',
    oneReply,
    'src/webhooks/awaited-reply.ts',
    'findAnswer(latest) ?? judgeLine(named, latest);',
    "findAnswer(latest) ?? { reply: named, verdict: 'certain' as const, question: null };",
  ),
  plantInWaits('own-quote', oneReply, 'src/messages/answer.ts', "if (reply_to === sent.id) return 'yes';", ''),
  plantInWaits(
    'goes-on',
    oneReply,
    'creates/send-message-and-wait.ts',
    "if (ended.verdict === 'doubtful') throw halt(anotherAnswered);",
    '',
  ),
  plantInWaits(
    'repeat-unsaid',
    true_,
    'src/webhooks/wait.ts',
    '  return answered && { ...answered, already_sent };',
    '  return answered && { ...answered, already_sent: false };',
  ),
  plantInWaits(
    'always-halts',
    oneReply,
    'creates/send-message-and-wait.ts',
    'if (isHalt(error)) return error;\n  if (!canReplay) return halt(unread);',
    'return halt(unread);',
  ),
  plantInWaits(
    'never-halts',
    retry,
    'creates/send-message-and-wait.ts',
    "throw canReplay ? fail(uncertainButRepeatable, 'no_reply') : halt(uncertain);",
    "throw fail(uncertainButRepeatable, 'no_reply');",
  ),
  plantInWaits(
    'fails-after-send',
    retry,
    'src/webhooks/wait.ts',
    'isUnsafeToRepeat(endpoints.sendMessage, input) || !isKeyKept(sentAt) ? halt(text) : fail(text, code);',
    'fail(text, code);',
  ),
  plantInWaits(
    'early-webhook',
    ownWebhook,
    'src/webhooks/wait.ts',
    '.finally(() => stopWatching(z, facts))',
    '.finally(() => undefined)',
  ),
  // Triggers
  plant(
    'unsigned',
    'Only a signed webhook payload starts a Zap.',
    'src/webhooks/delivery.ts',
    '!raw || !isGenuine(raw, subscribed.secret)',
    '!raw',
  ),
  plant(
    'shared-cache',
    "One account can't suppress another's events.",
    'src/webhooks/deduplicate.ts',
    'JSON.stringify([secret, id, ...parts])',
    'JSON.stringify([secret.length, id, ...parts])',
  ),
  plant(
    'twice',
    event,
    'src/webhooks/deduplicate.ts',
    'removeSeen(subscription, events, (key) => wasSeen(z, key));',
    'removeSeen(subscription, events, async (key) => z === undefined && wasSeen(z, key));',
  ),
  plant('channel', event, 'src/webhooks/rest-hook.ts', '{ ...filter(input), direction }', '{ direction }'),
  plant(
    'renewal',
    event,
    'src/webhooks/subscribe.ts',
    'expiration_date: readRenewal(expiresAt) }',
    "expiration_date: readRenewal(expiresAt) && '2030-01-01T00:00:00Z' }",
  ),
  plant(
    'reachable',
    true_,
    'src/messages/same-person.ts',
    'has_phone_number: readE164(phone) !== undefined',
    'has_phone_number: phone !== undefined',
  ),
  plant(
    'event-text',
    true_,
    'src/messages/text.ts',
    '  return { ...record, text: textOf(readable.safeParse(record).data ?? {}) };',
    "  return { ...record, text: '' };",
  ),
];

/** Returns a file of the app with a bug in it. Throws unless the place is there once. */
export const plantIn = (text: string, { id, file, from, to }: Planted): string => {
  const [before, after, ...others] = text.split(from);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`The bug "${id}" fits ${after === undefined ? 'no place' : 'several places'} of ${file}.`);
  }
  return before + to + after;
};
