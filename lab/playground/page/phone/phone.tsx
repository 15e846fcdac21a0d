import type { Child } from 'hono/jsx';
import type { Message } from '../../../../src/api/resources';
import type { Chat } from '../../service/chats';
import { type MessageButton, readParts, type WholeMessage } from '../../service/whole-message';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { oneClick, posts, refresh, swapPart } from '../elements/swap';
import { Ticks } from '../elements/ticks';
import { Clock } from '../elements/time';
import { Attachment } from './attachment';
import { channelName } from './customer';
import { CustomerActs } from './customer-acts';
import { Customers, NewCustomer, nameOf } from './customers';
import { type PhoneView, phoneAddress } from './phone-view';
import { AroundText } from './whole-message';

interface PhoneProps {
  view: PhoneView;
  /** What the clock of the service shows. */
  now: string;
  chats: readonly Chat[];
  open: Chat | undefined;
  /** Whether the customer of the open chat opted out. */
  isOptedOut: boolean;
  /** The ids of the messages that Zaps of this page sent. */
  ofZaps: ReadonlySet<string>;
  /** What a message's template has around its text. */
  wholeMessageOf: (message: Message) => WholeMessage | undefined;
  /** The footer of a message. */
  signatureOf: (message: Message) => string | undefined;
  workspace: string;
  error?: string | undefined;
  /** What the open step would send. The page keeps it when the phone changes. */
  preview?: Child;
}

const swap = swapPart('phones');

const senders: Record<string, string> = {
  colleague: 'Colleague',
  ai: 'AI agent',
  automation: 'Automation',
  campaign: 'Campaign',
  api: 'Another app',
};

/** How the customer's phone calls the business: as its newest message is signed, or as the workspace is called. */
const Business = ({ open, signatureOf, workspace }: Shown) => {
  const newest = open?.messages.findLast(({ direction }) => direction === 'outbound');
  return newest ? (
    <strong>{signatureOf(newest) ?? workspace}</strong>
  ) : (
    <strong data-unsigned={workspace}>{workspace}</strong>
  );
};

interface BubbleProps {
  message: Message;
  isLinked: boolean;
  /** Whether the customer answered it by a button, which nobody presses twice. */
  isAnswered: boolean;
  /** Whether a step of a Zap of this page sent it. */
  isOfZap: boolean;
  whole: WholeMessage | undefined;
  /** The customer of the chat. */
  from: string;
  address: string;
}

/** Lets the customer press a button of a message, which answers it. */
const pressing =
  ({ message: { id, channel }, from, address }: BubbleProps) =>
  ({ text }: MessageButton, at: number) => ({
    id: `press-${id}-${at}`,
    ...posts(address.replace('/phones', '/phones/acts'), { act: 'press', from, channel, message: id, text }),
    ...oneClick.button,
    ...swap,
  });

const Bubble = (props: BubbleProps) => {
  const { message, isLinked, isOfZap, whole } = props;
  const { id, direction, text, attachments, status, created_at, error } = message;
  const outbound = direction === 'outbound';
  const body = whole ? readParts(whole.body) : text;
  const shown = body && <p dir="auto">{body}</p>;
  // The header of a template shows its file.
  const files = whole?.header ? [] : attachments;
  return (
    <li id={id} class={`bubble ${outbound ? 'theirs' : 'mine'}${isLinked ? ' linked' : ''}`}>
      {outbound && <small class="sender">{senderOf(message, isOfZap)}</small>}
      {files?.map((attachment) => (
        <Attachment attachment={attachment} />
      ))}
      {whole ? (
        <AroundText message={whole} isPreview={false} press={props.isAnswered ? undefined : pressing(props)}>
          {shown}
        </AroundText>
      ) : (
        shown
      )}
      <small class="meta">
        <Clock at={created_at} />
        {outbound && <Ticks status={`${status}`} />}
      </small>
      {error && <small class="reason">{error.message ?? error.code}</small>}
    </li>
  );
};

const senderOf = ({ source }: Message, isOfZap: boolean): string =>
  isOfZap ? 'Your Zap' : (senders[`${source}`] ?? `${source}`);

/** Reads out the newest message that the customer got, once. Its ticks and those of others change silently. */
const Announced = ({ open, ofZaps }: Pick<PhoneProps, 'open' | 'ofZaps'>) => {
  const last = open?.messages.findLast(({ direction }) => direction === 'outbound');
  return (
    <p id="announced" class="visually-hidden" role="status">
      {last?.text && `${senderOf(last, ofZaps.has(`${last.id}`))}: ${last.text}`}
    </p>
  );
};

/** Tells of a message that reached another phone than the one that shows. */
const Arrived = ({ chat, view }: { chat: Chat; view: PhoneView }) => (
  <p class="arrived" role="status">
    <span dir="auto">New message for {nameOf(chat)}</span>
    <Button
      id="show-arrived"
      class="outline small"
      hx-get={phoneAddress({ ...view, chat: chat.id, message: undefined, messages: 30 })}
      {...swap}
    >
      Show
    </Button>
  </p>
);

type Shown = Omit<PhoneProps, 'error'>;

const Messages = ({ view, open, isOptedOut, ofZaps, wholeMessageOf, preview }: Shown) => {
  const messages = open?.messages.slice(-view.messages) ?? [];
  const answered = new Set(open?.messages.flatMap(({ reply_to }) => reply_to ?? []));
  return (
    <section id="chat" class="chat" tabindex={0} aria-label="Chat">
      {open && messages.length < open.messages.length && (
        <Button
          id="earlier-messages"
          class="outline small"
          hx-get={phoneAddress({ ...view, messages: view.messages + 100 })}
          {...swap}
        >
          Earlier messages
        </Button>
      )}
      {messages.length === 0 && <p class="empty">No messages yet.</p>}
      <ol id="messages" class="messages" aria-label="Messages">
        {messages.map((message) => (
          <Bubble
            message={message}
            isLinked={message.id === view.message}
            isAnswered={answered.has(`${message.id}`)}
            isOfZap={ofZaps.has(`${message.id}`)}
            whole={wholeMessageOf(message)}
            from={open?.phone ?? ''}
            address={phoneAddress(view)}
          />
        ))}
      </ol>
      {open && isOptedOut && (
        <p class="event" role="status">
          <bdi>{nameOf(open)}</bdi> opted out, and gets no messages.
        </p>
      )}
      {preview ?? <div id="preview-place" hx-morph-skip />}
    </section>
  );
};

const Write = ({ view, from, open }: { view: PhoneView; from: string; open: Chat | undefined }) => {
  const [name] = (open ?? view).name?.split(' ') ?? [];
  return (
    <form id="write" class="write" hx-post={phoneAddress(view)} {...swap} data-reset {...oneClick.form}>
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="channel" value={open?.channel ?? 'whatsapp'} />
      <textarea
        name="text"
        id={`write-${open?.id ?? 'new'}`}
        rows={1}
        required
        maxlength={4096}
        autocomplete="off"
        dir="auto"
        aria-label="Message from the customer"
        placeholder={name ? `Write as ${name}` : 'Write as this customer'}
        title="Enter sends. Shift+Enter starts a new line."
        data-sends
        data-focus
      />
      <button type="submit" class="send" aria-label="Send">
        <Icon name="send" />
      </button>
    </form>
  );
};

const Device = (props: Shown) => {
  const { view, chats, open } = props;
  const unseen = chats.find(({ unread }) => unread > 0);
  const from = open?.phone ?? view.to ?? '';
  return (
    <article class="device" aria-label={open ? `Chat of ${nameOf(open)}` : 'Phone'}>
      <p class="device-status" aria-hidden="true">
        <Clock at={props.now} />
        <span class="battery" />
      </p>
      <header class="device-header">
        <span class="tile own" aria-hidden="true">
          <Icon name="store" />
        </span>
        <p>
          <Business {...props} />
          <small>business account · {channelName(open?.channel ?? 'whatsapp')}</small>
        </p>
      </header>
      {unseen && <Arrived chat={unseen} view={view} />}
      <Messages {...props} />
      {from && <Write view={view} from={from} open={open} />}
    </article>
  );
};

/** The phone of one customer, whom a person picks. The customer writes there, and sees what arrives. */
export const Phone = ({ error, ...props }: PhoneProps) => {
  const { view, chats, open } = props;
  const unread = chats.reduce((sum, chat) => sum + chat.unread, 0);
  const handle = open?.phone ?? view.to;
  return (
    <section
      id="phones"
      class="phone"
      aria-label="Phone of a customer"
      tabindex={-1}
      data-address={open && `chat=${open.id}`}
      data-unread={unread}
      data-phone={handle}
      {...refresh(phoneAddress(view), 'phones')}
    >
      <div class="phone-top">
        <Customers view={view} chats={chats} open={open} unread={unread} />
        <NewCustomer view={view} error={error} />
      </div>
      <Device {...props} />
      <Announced {...props} />
      {open && <CustomerActs chat={open} isOptedOut={props.isOptedOut} address={phoneAddress(view)} />}
    </section>
  );
};
