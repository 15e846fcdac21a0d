import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { brand } from '../src/brand';
import { example, type Recipe } from './recipe';

const first = 'Your parcel 1042 arrives today at about 17:00.';

export const arrivalCheck: Recipe = {
  name: 'Text message if the first one fails',
  group: 'Orders',
  line: 'Check an hour later, then send a text message.',
  title: `Send ${brand.name} messages for new WooCommerce orders, and text messages if they fail`,
  description: `A message that doesn't arrive helps nobody. For every new order in WooCommerce, this integration sends a message through ${brand.name}. An hour later it checks whether the message failed, and then sends a text message instead.`,
  watchOut:
    "If the first message is refused at once, for example because the number isn't on that channel, the run stops safely, and no text message follows. Nor does one if a phone is off for an hour, because the message hasn't failed yet. To send an email instead, replace step 6.",
  steps: [
    {
      type: 'other',
      app: 'WooCommerce',
      event: 'Order Created',
      json: example({
        id: 1042,
        number: '1042',
        status: 'processing',
        total: '59.90',
        billing: {
          first_name: 'Noor',
          last_name: 'Visser',
          email: 'noor.visser@example.com',
          phone: specialNumbers.failsLater,
          country: 'US',
        },
      }),
    },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.billing.phone}}', deduplication_key: '{{1.id}}' },
      choices: {
        channel: 'whatsapp',
        template: 'parcel_out_for_delivery',
        variable_parcel_id: '{{1.number}}',
        variable_arrival_time: '5 pm',
      },
    },
    { type: 'delay', value: '1' },
    { type: 'app', operation: 'searches.find_message_status', values: { message: '{{2.id}}' } },
    { type: 'filter', rules: [{ value: '{{4.status}}', condition: '(Text) Exactly matches', text: 'failed' }] },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.billing.phone}}', deduplication_key: '{{1.id}}' },
      choices: {
        channel: 'sms',
        template: 'parcel_sms',
        variable_parcel_id: '{{1.number}}',
        variable_arrival_time: '5 pm',
      },
    },
  ],
  examples: [
    {
      name: 'the message fails',
      outcome: {
        sent: [
          { to: specialNumbers.failsLater, text: first },
          { to: specialNumbers.failsLater, text: 'Parcel 1042 arrives at about 17:00.' },
        ],
      },
    },
  ],
};
