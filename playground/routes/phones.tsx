import { type Context, Hono } from 'hono';
import { endpoints } from '../../src/api/endpoints';
import { e164 } from '../../src/api/fields';
import { message as messageResource } from '../../src/api/resources';
import { sentenceOf } from '../../zapier/core/failure';
import { Phones, type PhonesView } from '../page/phones';
import { callApi } from '../service/call-api';
import { isUsername, writerOf } from '../service/customer-handle';
import { listContacts } from '../service/events';
import { Refused } from '../service/refused';
import { messagesOf } from '../service/run-facts';
import { type Posted, readAll, readForm, readOne, readWholeNumber } from './form';
import type { Env, Parts } from './parts';

const maxRows = 10_000;

/** Reads what the phones show from the address of the pane. */
export const readPhonesView = (c: Context): PhonesView => ({
  chat: c.req.query('chat')?.slice(0, 100),
  chats: readWholeNumber(c.req.query('chats'), maxRows) ?? 30,
  messages: readWholeNumber(c.req.query('messages'), maxRows) ?? 30,
  message: c.req.query('message')?.slice(0, 100),
});

/** Renders the phones. `error` is why a customer couldn't write. */
export const renderPhones = ({ chats, runs }: Parts, view: PhonesView, error?: string) => {
  const open = chats.open(view.chat);
  const position = open?.messages.findIndex(({ id }) => id === view.message) ?? -1;
  const messages = position < 0 ? view.messages : Math.max(view.messages, (open?.messages.length ?? 0) - position);
  const ofZaps = new Set(
    runs
      .list()
      .flatMap(messagesOf)
      .map(({ id }) => `${id}`),
  );
  return <Phones view={{ ...view, messages }} open={open} chats={chats.list()} ofZaps={ofZaps} error={error} />;
};

/** Lets a customer write, and opens the chat. A refusal is shown at the form. */
const writeAsCustomer = async (parts: Parts, view: PhonesView, body: Posted) => {
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
    return renderPhones(parts, view, problem);
  }
  try {
    const written = messageResource.schema.parse(await parts.service.control('POST', 'messages', message));
    parts.chats.put(written);
    return renderPhones(parts, { ...view, chat: written.conversation_id ?? undefined });
  } catch (error) {
    return renderPhones(parts, view, sentenceOf(error));
  }
};

const threeLines = ['Hello?', 'Where is my parcel?', 'I need it today.'];

/** Makes a customer opt out, as a colleague would note it. */
const optOut = async ({ service }: Parts, phone: string): Promise<void> => {
  const contacts = await listContacts(service.account, phone);
  for (const { id } of contacts) {
    await callApi(service.account, endpoints.updateContact, { id, body: { consent: 'opted_out' } });
  }
};

/** Lets a customer do what the form names, and shows the chat. */
const actAsCustomer = async (parts: Parts, view: PhonesView, body: Posted) => {
  const [from, channel] = [readOne(body, 'from') ?? '', readOne(body, 'channel') ?? 'whatsapp'];
  try {
    if (readOne(body, 'act') === 'opt-out') await optOut(parts, from);
    if (readOne(body, 'act') !== 'three-lines') return renderPhones(parts, view);
    for (const text of threeLines) {
      const written = await parts.service.control('POST', 'messages', { ...writerOf(from), text, channel });
      parts.chats.put(messageResource.schema.parse(written));
    }
    return renderPhones(parts, view);
  } catch (error) {
    throw new Refused(sentenceOf(error));
  }
};

/** The calls of the phones. */
export const phonesRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', (c) => c.html(renderPhones(parts, readPhonesView(c))))
    .post('/acts', async (c) => c.html(await actAsCustomer(parts, readPhonesView(c), await readForm(c))))
    .post('/', async (c) => c.html(await writeAsCustomer(parts, readPhonesView(c), await readForm(c))));
