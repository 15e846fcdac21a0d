import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';

export const burstAnswer: Recipe = {
  name: 'One notification for several messages in a row',
  group: 'Questions',
  line: 'Wait a minute, then post the whole conversation once.',
  title: `Post new ${brand.name} conversation histories to Slack channels`,
  description: `Customers write in short lines: "Hi", "my parcel", "it's wet". This integration waits a minute after the first line in ${brand.name} and then posts the whole conversation to a Slack channel, once. Put an AI step before Slack to draft one answer to all of the lines.`,
  watchOut:
    'Step 1 starts the Zap at most once a minute for each conversation, and step 2 waits as long, so step 3 finds the other lines. If you change one of the two times, change the other as well. Zapier may forget a start, and then a conversation is posted twice.',
  steps: [
    { type: 'app', operation: 'triggers.message_received', values: { minutes_apart: '1' } },
    { type: 'delay', value: '1', unit: 'minutes' },
    {
      type: 'app',
      operation: 'searches.find_conversation_history',
      values: { conversation: '{{1.conversation_id}}', message_limit: '20' },
    },
    other('Slack', 'Send Channel Message', { fields: { 'Message Text': '{{3.transcript}}\n{{3.url}}' } }),
  ],
  examples: [
    {
      name: 'a customer writes three lines',
      before: [{ type: 'customer writes', phone: customer, text: 'Hi' }],
      meanwhile: [
        { type: 'customer writes', phone: customer, text: 'my parcel' },
        { type: 'customer writes', phone: customer, text: 'it is wet' },
      ],
      outcome: { received: [{ app: 'Slack', fields: { 'Message Text': ': it is wet' } }] },
    },
  ],
};
