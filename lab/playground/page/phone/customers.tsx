import { toLine } from '../../../../src/text/lines';
import type { Chat } from '../../service/chats';
import { firstMessage, quickCustomers } from '../../service/quick-customers';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { describeProblem, Problem } from '../elements/problem';
import { oneClick, opens, swapPart } from '../elements/swap';
import { Avatar, channelName } from './customer';
import { type PhoneView, phoneAddress } from './phone-view';

const swap = swapPart('phones');

/** What a customer is called. */
export const nameOf = ({ name, phone }: Pick<Chat, 'name' | 'phone'>): string => name || phone;

/** A customer's name, which is cut where the line ends, and the number whole. */
const Who = ({ customer, number }: { customer: Pick<Chat, 'name' | 'phone'>; number: string }) => (
  <span class="who">
    <span class="name" dir="auto">
      {nameOf(customer) || 'Choose a customer'}
    </span>{' '}
    {number && <small>{number}</small>}
  </span>
);

/** The number of a customer whose name another one has too. */
const numberOf = ({ name, phone }: Pick<Chat, 'name' | 'phone'>, chats: readonly Chat[]): string =>
  name && chats.some((each) => each.name === name && each.phone !== phone) ? phone : '';

const Unread = ({ count }: { count: number }) =>
  count > 0 ? (
    <span class="unread">
      {count}
      <span class="visually-hidden"> unread</span>
    </span>
  ) : null;

const ChatLink = ({ chat, number, view, isOpen }: { chat: Chat; number: string; view: PhoneView; isOpen: boolean }) => {
  const last = chat.messages.at(-1);
  return (
    <li>
      <Button
        id={`chat-${chat.id}`}
        class="chat-link row"
        aria-current={isOpen ? 'true' : 'false'}
        data-closes
        hx-get={phoneAddress({ ...view, chat: chat.id, message: undefined, messages: 30 })}
        {...swap}
      >
        <Avatar customer={chat} />
        <Who customer={chat} number={number} />
        <small>{channelName(chat.channel)}</small>
        <span class="last" dir="auto">
          {last && toLine(last)}
        </span>
        <Unread count={chat.unread} />
      </Button>
    </li>
  );
};

interface CustomersProps {
  view: PhoneView;
  chats: readonly Chat[];
  open: Chat | undefined;
  unread: number;
}

/** Who has the phone, and the others to choose from. */
export const Customers = ({ view, chats, open, unread }: CustomersProps) => {
  const shown = open ?? { name: view.name ?? '', phone: view.to ?? '' };
  return (
    <>
      <Button id="open-customers" class="outline customer" {...opens('customers')}>
        {nameOf(shown) && <Avatar customer={shown} />}
        <Who customer={shown} number={numberOf(shown, chats)} />
        <Unread count={unread} />
        <Icon name="chevron-down" />
      </Button>
      <section id="customers" class="menu" popover="auto" aria-label="Customers">
        {chats.length === 0 && <p class="empty">No chats yet. Start one as a new customer.</p>}
        <ul class="chats" aria-label="Chats">
          {chats.slice(0, view.chats).map((chat) => (
            <ChatLink chat={chat} number={numberOf(chat, chats)} view={view} isOpen={chat.id === open?.id} />
          ))}
        </ul>
        {chats.length > view.chats && (
          <Button
            id="more-chats"
            class="outline small"
            hx-get={phoneAddress({ ...view, chats: view.chats + 30 })}
            {...swap}
          >
            More chats ({chats.length - view.chats})
          </Button>
        )}
      </section>
    </>
  );
};

const Quick = ({ view }: { view: PhoneView }) => (
  <ul class="quick" aria-label="Quick customers">
    {quickCustomers.map(({ phone, name, label }) => (
      <li>
        <form hx-post={phoneAddress(view)} {...swap} {...oneClick.form} data-closes>
          <input type="hidden" name="from" value={phone} />
          <input type="hidden" name="name" value={name} />
          <input type="hidden" name="channel" value="whatsapp" />
          <input type="hidden" name="text" value={firstMessage} />
          <button type="submit" class="row">
            <span>{label}</span> <small>{name || phone}</small>
          </button>
        </form>
      </li>
    ))}
  </ul>
);

/** Lets somebody new write: with a number, or one whose messages have a special outcome. */
export const NewCustomer = ({ view, error }: { view: PhoneView; error?: string | undefined }) => (
  <>
    <Button
      id="open-new-customer"
      class="outline square"
      aria-label="New customer"
      title="New customer"
      {...opens('new-customer')}
    >
      <Icon name="user-plus" />
    </Button>
    <section id="new-customer" class="menu" popover="auto" aria-label="New customer">
      <form hx-post={phoneAddress(view)} {...swap} {...oneClick.form} data-closes>
        <label for="new-from">Phone number</label>
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
        <Problem id="new-from">{error}</Problem>
        <label for="new-name">Name</label>
        <input name="name" id="new-name" maxlength={80} placeholder="Noor Visser" autocomplete="off" dir="auto" />
        <label for="new-text">Message</label>
        <input name="text" id="new-text" required maxlength={4096} value={firstMessage} dir="auto" />
        <input type="hidden" name="channel" value="whatsapp" />
        <button type="submit" class="primary">
          Start chat
        </button>
      </form>
      <h3>Quick customers</h3>
      <Quick view={view} />
    </section>
  </>
);
