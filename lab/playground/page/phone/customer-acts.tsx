import type { Chat } from '../../service/chats';
import { Button } from '../elements/button';
import { Icon, type IconName } from '../elements/icon';
import { oneClick, posts, swapPart } from '../elements/swap';

/** What else a customer can do in a chat, by the name that the form posts. */
const acts: readonly { act: string; label: string; title: string; icon: IconName }[] = [
  { act: 'opt-out', label: 'Opt out', title: 'Opt out of messages', icon: 'ban' },
];

/** What else this customer can do. `address` is the address of the pane. */
export const CustomerActs = ({ chat, address }: { chat: Chat; address: string }) => (
  <div class="acts buttons">
    <button type="submit" form="write" name="photo" value="photo.jpg" formnovalidate class="chip">
      <Icon name="image" />
      Photo
    </button>
    {acts.map(({ act, label, title, icon }) => (
      <Button
        id={`act-${act}`}
        class="chip"
        title={title}
        {...posts(address.replace('/phones', '/phones/acts'), { act, from: chat.phone, channel: chat.channel })}
        {...oneClick.button}
        {...swapPart('phones')}
      >
        <Icon name={icon} />
        {label}
      </Button>
    ))}
  </div>
);
