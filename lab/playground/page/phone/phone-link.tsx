import type { Phone } from '../../service/run-notes';
import { Button } from '../elements/button';
import { swapPart } from '../elements/swap';

/** A button that opens a chat at one of its messages. */
export const PhoneLink = ({ phone: { chat, message, label } }: { phone: Phone }) => (
  <Button
    class="outline small"
    data-shows="phone"
    hx-get={`/phones?${new URLSearchParams({ chat, message })}`}
    {...swapPart('phones')}
  >
    {label}
  </Button>
);
