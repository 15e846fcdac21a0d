import type { Chat } from '../service/chats';
import { oneClick, swapPart } from './swap';

/** What else a customer can do in a chat, by the name that the form posts. */
export const customerActs = [
  { act: 'three-lines', label: 'Write three lines in a row' },
  { act: 'opt-out', label: 'Opt out of messages' },
] as const;

/** What else this customer can do. `address` is the address of the pane. */
export const CustomerActs = ({ chat, address }: { chat: Chat; address: string }) => (
  <div class="acts">
    {customerActs.map(({ act, label }) => (
      <button
        type="button"
        id={`act-${act}`}
        class="secondary outline small"
        hx-post={address.replace('/phones', '/phones/acts')}
        hx-vals={JSON.stringify({ act, from: chat.phone, channel: chat.channel })}
        {...oneClick.button}
        {...swapPart('phones')}
      >
        {label}
      </button>
    ))}
  </div>
);
