import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { brand } from '../src/brand';
import { example, type Recipe } from './recipe';

const customer = specialNumbers.failsLater;

export const failureDigest: Recipe = {
  name: 'Daily digest of failed messages',
  title: `Send Gmail emails with a daily digest of failed ${brand.name} messages`,
  description: `One email a day is easier to read than one for each failure. Every morning, this automation collects the messages of the last day that failed in ${brand.name} and sends them in an email from Gmail. If nothing failed, no email is sent.`,
  watchOut:
    'Step 2 returns at most 100 messages. If more messages may fail in a day, enter up to 500 in Number of Messages.',
  steps: [
    {
      type: 'other',
      app: 'Schedule by Zapier',
      event: 'Every Day',
      json: example({ id: '2025-06-11T07:00:00+00:00', hour: 7 }),
    },
    {
      type: 'app',
      operation: 'searches.find_messages',
      values: { direction: 'outbound', status: 'failed', after: '24 hours ago', message_limit: '100' },
    },
    { type: 'filter', rules: [{ value: '{{2.count}}', condition: '(Number) Greater than', text: '0' }] },
    {
      type: 'other',
      app: 'Gmail',
      event: 'Send Email',
      fields: { Subject: 'Failed messages: {{2.count}}', Body: '{{2.summary}}' },
    },
  ],
  examples: [
    {
      name: 'a message failed',
      before: [
        {
          type: 'message is sent',
          message: { channel: 'whatsapp', to: customer, template: 'opening_hours', variables: {} },
        },
      ],
      outcome: {
        received: [{ app: 'Gmail', fields: { Subject: 'Failed messages: 1', Body: customer } }],
      },
    },
    { name: 'nothing failed', outcome: {} },
  ],
};
