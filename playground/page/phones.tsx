import type { Message } from '../../src/api/resources';
import { toLine } from '../../src/messages/text';
import type { Chat } from '../service/chats';
import { firstMessage, quickCustomers } from '../service/quick-customers';
import { Attachment } from './attachment';
import { Avatar, channelName } from './customer';
import { CustomerActs } from './customer-acts';
import { describeProblem, Problem } from './problem';
import { oneClick, refresh, swapPart } from './swap';
import { Time } from './time';

/** What the phones show, from the address of the pane. */
export interface PhonesView {
  chat?: string | undefined;
  /** How many chats are in the list. */
  chats: number;
  /** How many messages of the open chat are shown. */
  messages: number;
  /** The message that a link leads to. */
  message?: string | undefined;
}

interface PhonesProps {
  view: PhonesView;
  chats: readonly Chat[];
  open: Chat | undefined;
  /** The ids of the messages that Zaps of this page sent. */
  ofZaps: ReadonlySet<string>;
  error?: string | undefined;
}

const address = ({ chat, chats, messages, message }: PhonesView): string =>
  `/phones?${new URLSearchParams({ ...(chat && { chat }), ...(message && { message }), chats: `${chats}`, messages: `${messages}` })}`;

const swap = swapPart('phones');

const ticks: Record<string, string> = { queued: '◷', sent: '✓', delivered: '✓✓', read: '✓✓', failed: '!' };

const senders: Record<string, string> = {
  colleague: 'Colleague',
  ai: 'AI agent',
  automation: 'Automation',
  campaign: 'Campaign',
  api: 'API',
};

interface BubbleProps {
  message: Message;
  isLinked: boolean;
  /** Whether a step of a Zap of this page sent it. */
  isOfZap: boolean;
}

const Bubble = ({ message, isLinked, isOfZap }: BubbleProps) => {
  const { id, direction, text, attachments, status, source, created_at, error } = message;
  const outbound = direction === 'outbound';
  return (
    <li id={id} class={`bubble ${outbound ? 'theirs' : 'mine'}${isLinked ? ' linked' : ''}`}>
      {outbound && <small>{isOfZap ? 'Your Zap' : (senders[`${source}`] ?? source)}</small>}
      {attachments?.map((attachment) => (
        <Attachment attachment={attachment} />
      ))}
      {text && <p dir="auto">{text}</p>}
      <small class="meta">
        <Time at={created_at} />
        {outbound && (
          <span class={`ticks ${status}`}>
            <span aria-hidden="true">{ticks[`${status}`]}</span> {status}
          </span>
        )}
      </small>
      {error && <small class="reason">{error.message ?? error.code}</small>}
    </li>
  );
};

const ChatLink = ({ chat, view }: { chat: Chat; view: PhonesView }) => {
  const last = chat.messages.at(-1);
  return (
    <li>
      <button
        type="button"
        id={`chat-${chat.id}`}
        class="chat row"
        hx-get={address({ ...view, chat: chat.id, message: undefined, messages: 30 })}
        {...swap}
      >
        <Avatar customer={chat} />
        <strong dir="auto">{chat.name || chat.phone}</strong>
        <small>{channelName(chat.channel)}</small>
        <span class="last" dir="auto">
          {last && toLine(last)}
        </span>
        {chat.unread > 0 && (
          <span class="unread">
            {chat.unread}
            <span class="visually-hidden"> unread</span>
          </span>
        )}
      </button>
    </li>
  );
};

/** Tells of a message that reached another phone than the one that shows. */
const Arrived = ({ chat, view }: { chat: Chat; view: PhonesView }) => (
  <p class="arrived" role="status">
    <span dir="auto">New message for {chat.name || chat.phone}</span>
    <button
      type="button"
      id="show-arrived"
      class="secondary outline small"
      hx-get={address({ ...view, chat: chat.id, message: undefined, messages: 30 })}
      {...swap}
    >
      Show
    </button>
  </p>
);

type OpenChatProps = Pick<PhonesProps, 'view' | 'chats' | 'ofZaps'> & { chat: Chat; unread: number };

const OpenChat = ({ chat, view, chats, unread, ofZaps }: OpenChatProps) => {
  const [newest] = chats;
  const shown = chat.messages.slice(-view.messages);
  return (
    <article class="phone" aria-label={`Chat of ${chat.name || chat.phone}`}>
      <header>
        <button
          type="button"
          id="close-chat"
          class="quiet"
          hx-get={address({ ...view, chat: undefined, message: undefined })}
          {...swap}
          aria-label={unread > 0 ? `All chats, ${unread} unread` : 'All chats'}
        >
          ‹ {unread > 0 && <span class="unread">{unread}</span>}
        </button>
        <Avatar customer={chat} />
        <div>
          <h3 dir="auto">{chat.name || chat.phone}</h3>
          <small>
            {chat.name ? `${chat.phone} · ` : ''}
            {channelName(chat.channel)}
          </small>
        </div>
      </header>
      {newest && newest.unread > 0 && <Arrived chat={newest} view={view} />}
      {shown.length < chat.messages.length && (
        <button
          type="button"
          id="earlier-messages"
          class="secondary outline"
          hx-get={address({ ...view, messages: view.messages + 100 })}
          {...swap}
        >
          Earlier messages
        </button>
      )}
      <ol id="messages" class="messages" tabindex={0} aria-label="Messages" aria-live="polite">
        {shown.map((message) => (
          <Bubble message={message} isLinked={message.id === view.message} isOfZap={ofZaps.has(`${message.id}`)} />
        ))}
      </ol>
      <CustomerActs chat={chat} address={address(view)} />
      <form hx-post={address(view)} {...swap} data-reset {...oneClick.form} class="write">
        <input type="hidden" name="from" value={chat.phone} />
        <input type="hidden" name="channel" value={chat.channel} />
        <label>
          <span class="visually-hidden">Message from the customer</span>
          <textarea
            name="text"
            id={`write-${chat.id}`}
            rows={1}
            required
            maxlength={4096}
            autocomplete="off"
            dir="auto"
            placeholder="Write as this customer"
            title="Enter sends. Shift+Enter starts a new line."
            data-sends
            data-focus
          />
        </label>
        {/* First, because Enter presses the first button. */}
        <button type="submit">Send</button>
        <button type="submit" name="photo" value="photo.jpg" formnovalidate class="secondary outline">
          Photo
        </button>
      </form>
    </article>
  );
};

const NewCustomer = ({ view, error }: { view: PhonesView; error?: string | undefined }) => (
  <details id="new-customer" class="new" open={Boolean(error)}>
    <summary>New customer</summary>
    <form hx-post={address(view)} {...swap} {...oneClick.form}>
      <label>
        Phone number
        <input
          name="from"
          id="new-from"
          required
          maxlength={20}
          inputmode="tel"
          placeholder="+12025550123"
          autocomplete="off"
          {...describeProblem('new-from', error)}
        />
      </label>
      <Problem id="new-from">{error}</Problem>
      <label>
        Message
        <input name="text" id="new-text" required maxlength={4096} value={firstMessage} dir="auto" />
      </label>
      <input type="hidden" name="channel" value="whatsapp" />
      <button type="submit">Start chat</button>
    </form>
    <h3>Quick customers</h3>
    <ul class="quick" aria-label="Quick customers">
      {quickCustomers.map(({ phone, label }) => (
        <li>
          <form hx-post={address(view)} {...swap} {...oneClick.form}>
            <input type="hidden" name="from" value={phone} />
            <input type="hidden" name="channel" value="whatsapp" />
            <input type="hidden" name="text" value={firstMessage} />
            <button type="submit" class="quick-customer row">
              {label} <small>{phone}</small>
            </button>
          </form>
        </li>
      ))}
    </ul>
  </details>
);

const ChatList = ({ view, chats, error }: Omit<PhonesProps, 'open' | 'ofZaps'>) => (
  <>
    <NewCustomer view={view} error={error} />
    {chats.length === 0 && <p class="empty">No chats yet. Start one as a new customer.</p>}
    <ul class="chats" aria-label="Chats">
      {chats.slice(0, view.chats).map((chat) => (
        <ChatLink chat={chat} view={view} />
      ))}
    </ul>
    {chats.length > view.chats && (
      <button
        type="button"
        id="more-chats"
        class="secondary outline"
        hx-get={address({ ...view, chats: view.chats + 30 })}
        {...swap}
      >
        More chats ({chats.length - view.chats})
      </button>
    )}
  </>
);

/** The customers as chats, or the open one as its phone shows it. */
export const Phones = ({ view, chats, open, ofZaps, error }: PhonesProps) => {
  const unread = chats.reduce((sum, chat) => sum + chat.unread, 0);
  return (
    <section
      id="phones"
      aria-labelledby="phones-title"
      tabindex={-1}
      data-address={open && `chat=${open.id}`}
      data-unread={unread}
      {...refresh(address(view), 'phones')}
    >
      <h2 id="phones-title">Phones</h2>
      <p class="intro">These are your customers' phones. Open a chat to see what arrives, and reply as the customer.</p>
      {open ? (
        <OpenChat chat={open} view={view} chats={chats} unread={unread} ofZaps={ofZaps} />
      ) : (
        <ChatList view={view} chats={chats} error={error} />
      )}
    </section>
  );
};
