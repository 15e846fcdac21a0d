import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { e164 } from '../../../src/api/e164';
import { endpoints } from '../../../src/api/endpoints';
import { message as messageResource } from '../../../src/api/resources';
import { brand } from '../../../src/brand';
import { callApi } from '../../sandbox/client';
import { sentenceOf } from '../../zapier/core/failure';
import { Phone } from '../page/phone/phone';
import type { PhoneView } from '../page/phone/phone-view';
import { listContacts, setConsent } from '../service/events';
import type { MessagePreview } from '../service/message-preview';
import { Refused } from '../service/refused';
import { messagesOf } from '../service/run-notes';
import { isUsername, writerOf } from '../service/subject';
import { signatureOf, wholeMessageOf } from '../service/whole-message';
import { type Posted, readAll, readForm, readOne, readWholeNumber } from './form';
import type { Env, Parts } from './parts';

const maxRows = 10_000;

/** Reads what the phone shows from the address of the pane. */
export const readPhoneView = (c: Context): PhoneView => ({
  chat: c.req.query('chat')?.slice(0, 100),
  to: c.req.query('to')?.slice(0, 100),
  name: c.req.query('name')?.slice(0, 100),
  chats: readWholeNumber(c.req.query('chats'), maxRows) ?? 30,
  messages: readWholeNumber(c.req.query('messages'), maxRows) ?? 30,
  message: c.req.query('message')?.slice(0, 100),
});

/** The phone that a page begins with, if its address names none: of the one who would get the message of the open step, or the newest chat. */
export const firstPhone = (
  { chats }: Parts,
  view: PhoneView,
  recipient?: Pick<MessagePreview, 'phone' | 'name'>,
): PhoneView => {
  if (view.chat || view.to) return view;
  if (!recipient || !e164.test(recipient.phone)) return { ...view, chat: chats.list()[0]?.id };
  return { ...view, to: recipient.phone, name: recipient.name };
};

interface RenderedWith {
  /** Why a customer couldn't write. */
  error?: string;
  /** What the open step would send, if it isn't on the page yet. */
  preview?: Child;
}

/** Renders the phone of a customer. */
export const renderPhone = async (
  { chats, runs, service, clock }: Parts,
  view: PhoneView,
  { error, preview }: RenderedWith = {},
) => {
  const templates = await service.listTemplates().catch(() => []);
  const chat = view.chat ?? chats.list().find(({ phone }) => phone === view.to)?.id;
  const open = chats.open(chat);
  const isOptedOut = open ? await service.hasOptedOut(open.phone).catch(() => false) : false;
  const position = open?.messages.findIndex(({ id }) => id === view.message) ?? -1;
  const messages = position < 0 ? view.messages : Math.max(view.messages, (open?.messages.length ?? 0) - position);
  const ofZaps = new Set(
    runs
      .list()
      .flatMap(messagesOf)
      .map(({ id }) => `${id}`),
  );
  return (
    <Phone
      view={{ ...view, chat, messages }}
      now={new Date(clock.now()).toISOString()}
      open={open}
      isOptedOut={isOptedOut}
      chats={chats.list()}
      ofZaps={ofZaps}
      wholeMessageOf={(message) => wholeMessageOf(message, templates)}
      signatureOf={(message) => signatureOf(message, templates)}
      workspace={await service.workspaceName().catch(() => brand.name)}
      error={error}
      preview={preview}
    />
  );
};

/** Gives a customer the name that the form has, unless the service knows one. Without it, they write all the same. */
const nameCustomer = async ({ service }: Parts, phone: string, body: Posted): Promise<void> => {
  const [first_name, ...rest] = (readOne(body, 'name') ?? '').trim().split(/\s+/);
  if (!first_name || isUsername(phone)) return;
  const name = { first_name, last_name: rest.join(' ') || undefined };
  const [known, ...others] = await listContacts(service.account, phone);
  if (!known) await service.addContact({ phone, ...name });
  else if (others.length === 0 && !known.first_name && !known.last_name)
    await callApi(service.account, endpoints.updateContact, { id: known.id, body: name });
};

/** Lets a customer write, and opens the chat. A refusal is shown at the form. */
const writeAsCustomer = async (parts: Parts, view: PhoneView, body: Posted) => {
  const from = (readOne(body, 'from') ?? '').replaceAll(/[\s()-]/g, '');
  const message = {
    ...writerOf(from),
    // A form posts the line breaks of Windows.
    text: (readOne(body, 'text') ?? '').replaceAll('\r\n', '\n') || null,
    attachments: readAll(body, 'photo').map((name) => ({ type: 'image', name })),
    channel: readOne(body, 'channel') ?? 'whatsapp',
  };
  if (!e164.test(from) && !isUsername(from)) {
    const problem = `"${from.slice(0, 30)}" isn't a complete phone number. Enter it with + and the country code, such as +12025550123.`;
    return renderPhone(parts, view, { error: problem });
  }
  try {
    await nameCustomer(parts, from, body).catch(() => undefined);
    if (message.text?.trim().toUpperCase() === 'START') await setConsent(parts, from, 'opted_in');
    const written = messageResource.schema.parse(await parts.service.control('POST', 'messages', message));
    parts.chats.put(written);
    return renderPhone(parts, { ...view, chat: written.conversation_id ?? undefined });
  } catch (error) {
    return renderPhone(parts, view, { error: sentenceOf(error) });
  }
};

/** Presses a quick reply below a message, which answers that message with the button's text. */
const pressButton = async (parts: Parts, from: string, channel: string, body: Posted): Promise<void> => {
  const [text, reply_to] = [readOne(body, 'text'), readOne(body, 'message')];
  const answer = { ...writerOf(from), text, channel, reply_to };
  parts.chats.put(messageResource.schema.parse(await parts.service.control('POST', 'messages', answer)));
};

/** Lets a customer do what the form names, and shows the chat. */
const actAsCustomer = async (parts: Parts, view: PhoneView, body: Posted) => {
  const [from, channel] = [readOne(body, 'from') ?? '', readOne(body, 'channel') ?? 'whatsapp'];
  try {
    if (readOne(body, 'act') === 'opt-out') await setConsent(parts, from, 'opted_out');
    if (readOne(body, 'act') === 'opt-in') await setConsent(parts, from, 'opted_in');
    if (readOne(body, 'act') === 'press') await pressButton(parts, from, channel, body);
    return renderPhone(parts, view);
  } catch (error) {
    throw new Refused(sentenceOf(error));
  }
};

/** The calls of the phones. */
export const phonesRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', async (c) => c.html(await renderPhone(parts, readPhoneView(c))))
    .post('/acts', async (c) => c.html(await actAsCustomer(parts, readPhoneView(c), await readForm(c))))
    .post('/', async (c) => c.html(await writeAsCustomer(parts, readPhoneView(c), await readForm(c))));
