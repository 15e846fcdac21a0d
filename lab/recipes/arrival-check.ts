import { brand } from '../../src/brand';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { other, type Recipe } from './recipe';

const text = "Thank you for order 1042, Ava! We'll tell you when it's on its way.";

export const arrivalCheck: Recipe = {
  name: 'Text message if the first one fails',
  group: 'Orders',
  line: 'Check an hour later, then send a text message.',
  title: `Send ${brand.name} messages for new WooCommerce orders, or SMS if they fail`,
  description: `A message that doesn't arrive helps nobody. For every new order in WooCommerce, this integration sends a message through ${brand.name}. An hour later it checks whether the message failed, and then sends a text message instead.`,
  watchOut:
    "If the first message is refused at once, for example because the number isn't on that channel, the run stops safely, and no text message follows. The same happens if the phone is off for an hour, because the message hasn't failed yet. To send an email instead, replace step 6.",
  steps: [
    other('WooCommerce', 'Order Created', {
      gives: {
        id: 1042,
        number: '1042',
        status: 'processing',
        total: '59.90',
        billing: {
          first_name: 'Ava',
          last_name: 'Kim',
          email: 'ava.kim@example.com',
          phone: specialNumbers.failsLater,
          country: 'US',
        },
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.billing.phone}}', deduplication_key: '{{1.id}}' },
      choices: {
        channel: 'whatsapp',
        template: 'order_confirmed',
        variable_first_name: '{{1.billing.first_name}}',
        variable_order_number: '{{1.number}}',
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
        template: 'order_confirmed',
        variable_first_name: '{{1.billing.first_name}}',
        variable_order_number: '{{1.number}}',
      },
    },
  ],
  examples: [
    {
      name: 'the message fails',
      outcome: {
        sent: [
          { to: specialNumbers.failsLater, text },
          { to: specialNumbers.failsLater, text },
        ],
      },
    },
  ],
};
