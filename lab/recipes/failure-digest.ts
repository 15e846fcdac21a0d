import { brand } from '../../src/brand';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { other, type Recipe } from './recipe';

const customer = specialNumbers.failsLater;

export const failureDigest: Recipe = {
  name: 'Daily digest of failed messages',
  group: 'Safety nets',
  line: 'Get one email a day with what failed.',
  title: `Send Gmail emails with a daily digest of failed ${brand.name} messages`,
  description: `One email a day is easier to read than one for each failure. Every morning, this automation collects the messages of the last day that failed in ${brand.name} and sends them in an email from Gmail. If nothing failed, no email is sent.`,
  notATemplate: 'It has a Formatter step.',
  watchOut: 'Step 2 returns at most 500 messages, and if there are more, the last line says so.',
  steps: [
    other('Schedule by Zapier', 'Every Day', { gives: { id: '2025-06-11T07:00:00+00:00', hour: 7 } }),
    {
      type: 'app',
      operation: 'searches.find_messages',
      values: { direction: 'outbound', status: 'failed', after: '24 hours ago', message_limit: '500' },
      search: { results: 'all', whenNone: 'stop' },
    },
    { type: 'formatter', transform: 'join', input: '{{2.summary_line}}', separator: '[:newline:]' },
    other('Gmail', 'Send Email', {
      fields: { Subject: 'Messages that failed since yesterday', Body: '{{3.output.text}}' },
    }),
  ],
  examples: [
    {
      name: 'two messages failed',
      before: [
        {
          type: 'message is sent',
          message: { channel: 'whatsapp', to: customer, template: 'opening_hours', variables: {} },
        },
        {
          type: 'message is sent',
          message: {
            channel: 'whatsapp',
            to: customer,
            template: 'parcel_out_for_delivery',
            variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
          },
        },
      ],
      outcome: {
        received: [
          {
            app: 'Gmail',
            fields: {
              Subject: 'Messages that failed',
              Body: [`To ${customer}: "Your parcel PX-20418`, `To ${customer}: "From June our parcel points`],
            },
          },
        ],
      },
    },
    { name: 'nothing failed', outcome: { halted: 'The search found nothing.' } },
  ],
};
