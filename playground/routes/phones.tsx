import { type Context, Hono } from 'hono';
import { e164 } from '../../src/api/fields';
import { message as messageResource } from '../../src/api/resources';
import { Phones, type PhonesView } from '../page/phones';
import { readWholeNumber } from '../read-whole-number';
import { sentenceOf } from '../zaps/failures';
import { type Posted, readForm, readOne } from './form';
import type { Env, Parts } from './parts';

const maxRows = 10_000;

/** Reads what the phones show from the address of the pane. */
export const readPhonesView = (c: Context): PhonesView => ({
  chat: c.req.query('chat')?.slice(0, 100),
  chats: readWholeNumber(c.req.query('chats'), maxRows) ?? 30,
  messages: readWholeNumber(c.req.query('messages'), maxRows) ?? 30,
});

/** Renders the phones. `error` is why a customer couldn't write. */
export const renderPhones = ({ chats }: Parts, view: PhonesView, error?: string) => (
  <Phones view={view} open={chats.open(view.chat)} chats={chats.list()} error={error} />
);

/** Lets a customer write, and opens the chat. A refusal is shown at the form. */
const writeAsCustomer = async (parts: Parts, view: PhonesView, body: Posted) => {
  const message = {
    from: (readOne(body, 'from') ?? '').replaceAll(/[\s()-]/g, ''),
    text: readOne(body, 'text') ?? '',
    channel: readOne(body, 'channel') ?? 'whatsapp',
  };
  if (!e164.test(message.from)) {
    const problem = `"${message.from.slice(0, 30)}" isn't a complete phone number. Enter it with + and the country code, such as +12025550123.`;
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

/** The calls of the phones. */
export const phonesRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', (c) => c.html(renderPhones(parts, readPhonesView(c))))
    .post('/', async (c) => c.html(await writeAsCustomer(parts, readPhonesView(c), await readForm(c))));
