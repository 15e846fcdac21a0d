import type { Chat } from '../../service/chats';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { oneClick, posts, swapPart } from '../elements/swap';

interface CustomerActsProps {
  chat: Chat;
  isOptedOut: boolean;
  /** The address of the pane. */
  address: string;
}

/** What else this customer can do in a chat, by the name that the form posts. */
export const CustomerActs = ({ chat, isOptedOut, address }: CustomerActsProps) => (
  <div class="acts buttons">
    <button type="submit" form="write" name="photo" value="photo.jpg" formnovalidate class="chip">
      <Icon name="image" />
      Photo
    </button>
    <Button
      id="act-consent"
      class="chip"
      {...posts(address.replace('/phones', '/phones/acts'), {
        act: isOptedOut ? 'opt-in' : 'opt-out',
        from: chat.phone,
        channel: chat.channel,
      })}
      {...oneClick.button}
      {...swapPart('phones')}
    >
      <Icon name={isOptedOut ? 'check' : 'ban'} />
      {isOptedOut ? 'Opt in again' : 'Opt out'}
    </Button>
  </div>
);
