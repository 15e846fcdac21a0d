/** Who has a phone. */
interface Customer {
  name: string;
  phone: string;
}

const channelNames: Record<string, string> = { whatsapp: 'WhatsApp', sms: 'SMS' };

/** What people call a channel. */
export const channelName = (key: string): string => channelNames[key] ?? key;

/** The initials of a customer, or the end of the number. */
export const Avatar = ({ customer: { name, phone } }: { customer: Customer }) => (
  <span class="avatar" aria-hidden="true">
    {name
      .split(' ')
      .map((part) => [...part][0])
      .slice(0, 2)
      .join('') || phone.slice(-2)}
  </span>
);
