import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const shopifyOrder: Recipe = {
  name: 'Message for each new order',
  group: 'Orders',
  line: 'Confirm each order as soon as it comes in.',
  title: `Send ${brand.name} WhatsApp order confirmations for new Shopify orders`,
  description: `Customers want to know that you received their order. As soon as Shopify has a new one, this integration confirms it through ${brand.name}. Each order gets one confirmation, even if Zapier repeats its run within 24 hours.`,
  watchOut:
    'If an order has no phone number, its run stops safely and no message is sent. To avoid that, require a phone number at your checkout.',
  steps: [
    other('Shopify', 'New Order', {
      gives: {
        id: 5678901234567,
        name: '#1042',
        order_number: 1042,
        created_at: '2026-06-11T09:40:12-04:00',
        email: 'noor.visser@example.com',
        total_price: '59.90',
        currency: 'USD',
        customer: { id: 6543210987654, first_name: 'Noor', last_name: 'Visser' },
        shipping_address: {
          first_name: 'Noor',
          last_name: 'Visser',
          phone: '(202) 555-0123',
          city: 'Washington',
          country_code: 'US',
        },
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: {
        to: '{{1.shipping_address.phone}}',
        deduplication_key: '{{1.id}}',
      },
      choices: {
        channel: 'whatsapp',
        template: 'order_confirmed',
        variable_first_name: '{{1.customer.first_name}}',
        variable_order_number: '{{1.name}}',
      },
    },
  ],
  examples: [
    {
      name: 'an order',
      outcome: {
        sent: [{ to: '+12025550123', text: "Thank you for order #1042, Noor! We'll tell you when it's on its way." }],
      },
    },
  ],
};
