import type { Message } from '../../src/api/resources';
import type { Chat } from '../chats';
import { quickCustomers } from './quick-customers';
import { Time } from './time';

/** What the phones show, from the address of the pane. */
export interface PhonesView {
  chat?: string | undefined;
  /** How many chats are in the list. */
  chats: number;
  /** How many messages of the open chat are shown. */
  messages: number;
}

interface PhonesProps {
  view: PhonesView;
  chats: readonly Chat[];
  open: Chat | undefined;
  error?: string | undefined;
}

const address = ({ chat, chats, messages }: PhonesView): string =>
  `/phones?${new URLSearchParams({ ...(chat && { chat }), chats: `${chats}`, messages: `${messages}` })}`;

const swap = { 'hx-target': '#phones', 'hx-swap': 'outerMorph' };

const ticks: Record<string, string> = { queued: '◷', sent: '✓', delivered: '✓✓', read: '✓✓', failed: '!' };

const senders: Record<string, string> = {
  agent: 'Colleague',
  automation: 'Automation',
  campaign: 'Campaign',
  api: 'Zap or API',
};

const Bubble = ({ message }: { message: Message }) => {
  const { id, direction, text, status, source, created_at, error } = message;
  const outbound = direction === 'outbound';
  return (
    <li id={id} class={outbound ? 'bubble theirs' : 'bubble mine'}>
      {outbound && <small class="sender">{senders[`${source}`] ?? source}</small>}
      <p dir="auto">{text}</p>
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
  const isOpen = chat.id === view.chat;
  return (
    <li id={`chat-${chat.id}`}>
      <button
        type="button"
        class="chat"
        aria-pressed={isOpen ? 'true' : 'false'}
        hx-get={address({ ...view, chat: chat.id, messages: 30 })}
        {...swap}
      >
        <strong dir="auto">{chat.name || chat.phone}</strong>
        <small class="channel">{chat.channel}</small>
        <span class="last" dir="auto">
          {last?.text}
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

const OpenChat = ({ chat, view }: { chat: Chat; view: PhonesView }) => {
  const shown = chat.messages.slice(-view.messages);
  return (
    <article class="phone" aria-label={`Chat of ${chat.name || chat.phone}`}>
      <header>
        <h3 dir="auto">{chat.name || chat.phone}</h3>
        <small>
          {chat.phone} · {chat.channel}
        </small>
      </header>
      {shown.length < chat.messages.length && (
        <button
          type="button"
          class="secondary outline"
          hx-get={address({ ...view, messages: view.messages + 100 })}
          {...swap}
        >
          Earlier messages
        </button>
      )}
      <ol id="messages" class="messages" tabindex={0} aria-label="Messages" aria-live="polite">
        {shown.map((message) => (
          <Bubble message={message} />
        ))}
      </ol>
      <form hx-post={address(view)} {...swap} data-reset hx-disable="find button" class="write">
        <input type="hidden" name="from" value={chat.phone} />
        <input type="hidden" name="channel" value={chat.channel} />
        <label>
          <span class="visually-hidden">Message from the customer</span>
          <input
            name="text"
            id={`write-${chat.id}`}
            required
            maxlength={4096}
            autocomplete="off"
            dir="auto"
            placeholder="Write as this customer"
          />
        </label>
        <button type="submit">Send</button>
      </form>
    </article>
  );
};

const NewCustomer = ({ view, error }: { view: PhonesView; error?: string | undefined }) => (
  <details id="new-customer" class="new" open={Boolean(error)}>
    <summary>New customer</summary>
    <form hx-post={address(view)} {...swap} hx-disable="find button">
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
          {...(error && { 'aria-invalid': 'true', 'aria-describedby': 'new-error' })}
        />
      </label>
      {error && (
        <p id="new-error" class="problem" role="alert">
          {error}
        </p>
      )}
      <label>
        Message
        <input name="text" id="new-text" required maxlength={4096} value="Hello!" dir="auto" />
      </label>
      <input type="hidden" name="channel" value="whatsapp" />
      <button type="submit">Start chat</button>
    </form>
    <ul class="quick" aria-label="Quick customers">
      {quickCustomers.map(({ phone, label }) => (
        <li>
          <form hx-post={address(view)} {...swap}>
            <input type="hidden" name="from" value={phone} />
            <input type="hidden" name="channel" value="whatsapp" />
            <input type="hidden" name="text" value="Hello!" />
            <button type="submit" class="secondary outline">
              {label} <small>{phone}</small>
            </button>
          </form>
        </li>
      ))}
    </ul>
  </details>
);

/** The customers as chats, and the open one as its phone shows it. */
export const Phones = ({ view, chats, open, error }: PhonesProps) => (
  <section
    id="phones"
    aria-labelledby="phones-title"
    hx-get={address(view)}
    hx-trigger="phones from:body"
    hx-target="this"
    hx-swap="outerMorph"
  >
    <h2 id="phones-title">Phones</h2>
    <NewCustomer view={view} error={error} />
    {open && <OpenChat chat={open} view={view} />}
    {chats.length === 0 && <p class="empty">No chats yet. Start one as a new customer.</p>}
    <ul class="chats" aria-label="Chats">
      {chats.slice(0, view.chats).map((chat) => (
        <ChatLink chat={chat} view={view} />
      ))}
    </ul>
    {chats.length > view.chats && (
      <button type="button" class="secondary outline" hx-get={address({ ...view, chats: view.chats + 30 })} {...swap}>
        More chats ({chats.length - view.chats})
      </button>
    )}
  </section>
);
