import { brand } from '../../src/brand';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { other, type Recipe } from './recipe';

const customer = specialNumbers.failsLater;

export const gmailFailure: Recipe = {
  name: 'Email for each failed message',
  group: 'Safety nets',
  line: "Hear of each message that doesn't arrive.",
  title: `Send Gmail emails for new failed ${brand.name} messages`,
  description: `A message that doesn't arrive can cost you a customer. When ${brand.name} reports that a message failed, this automation sends an email from Gmail with the number and the reason. Someone can then call or write another way.`,
  watchOut:
    'You get one email for each failure, so a campaign that fails for many people sends many emails. To leave campaigns out, choose the other senders in Sent By.',
  steps: [
    { type: 'app', operation: 'triggers.message_failed' },
    other('Gmail', 'Send Email', {
      fields: {
        Subject: 'Message to {{1.to}} failed',
        Body: '{{1.summary_line}}\n{{1.url}}',
      },
    }),
  ],
  examples: [
    {
      name: 'a message fails',
      before: [
        {
          type: 'message is sent',
          message: { channel: 'whatsapp', to: customer, template: 'opening_hours', variables: {} },
        },
      ],
      outcome: {
        received: [
          {
            app: 'Gmail',
            fields: {
              Subject: `Message to ${customer} failed`,
              Body: '"From June our parcel points are open until 21:00, on Saturdays too." (failed: ',
            },
          },
        ],
      },
    },
  ],
};
