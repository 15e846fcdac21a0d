import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const missedCall: Recipe = {
  name: 'Message after a missed call',
  group: 'Leads',
  line: 'Message callers you missed.',
  title: `Text back new missed calls in RingCentral with ${brand.name}`,
  description: `People who can't reach you by phone may not call again. After every new missed call in RingCentral, this integration sends the caller a message through ${brand.name}. Tell them when you are open, or that they can reply.`,
  watchOut:
    "Someone who calls several times within 24 hours gets one message, thanks to Send Once for Each. Callers who hide their number don't get a message.",
  steps: [
    other('RingCentral', 'Missed Call', {
      gives: {
        id: 'AbR7kq2Xw9LzT0',
        startTime: '2026-06-11T09:40:12.000Z',
        direction: 'Inbound',
        result: 'Missed',
        from: { phoneNumber: '+12025550152', name: 'OLIVIA REED', location: 'Washington, DC' },
        to: { phoneNumber: '+12025550190' },
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.from.phoneNumber}}', deduplication_key: '{{1.from.phoneNumber}}' },
      choices: { channel: 'whatsapp', template: 'missed_call' },
    },
  ],
  examples: [
    {
      name: 'a missed call',
      outcome: {
        sent: [
          {
            to: '+12025550152',
            text: "Sorry we missed your call! We're with a client right now. Reply here, and we'll answer as soon as we can.",
          },
        ],
      },
    },
  ],
};
