import { formatGuide } from '../../zapier/editor/guide';
import type { Zap } from '../../zapier/zap/zap';
import { definition } from '../support/zapier';

const zap: Zap = {
  id: 'zap-1',
  title: 'Tell a customer',
  isOn: false,
  seen: [],
  steps: [
    {
      type: 'app',
      id: 'a',
      operation: 'triggers.message_received',
      values: { channel: 'whatsapp', contains: ['parcel', 'box'] },
      labels: { channel: 'WhatsApp' },
      form: {
        fields: [
          { key: 'channel', label: 'Channel', isDropdown: true },
          { key: 'contains', label: 'Words or Phrases', list: true, isDropdown: false },
          { key: 'note', label: 'Note', type: 'copy', isDropdown: false },
          { key: 'match', label: 'Match', isDropdown: false, required: true },
        ],
        computedFrom: {},
      },
    },
    { type: 'delay', id: 'b', value: '1', unit: 'hours' },
    {
      type: 'filter',
      id: 'd',
      rules: [
        { value: '{{1.channel}}', condition: '(Text) Does not exactly match', text: 'sms' },
        { value: '{{1.contact.phone}}', condition: 'Exists', text: '' },
      ],
    },
    {
      type: 'other',
      id: 'c',
      app: 'Slack',
      event: 'Send Channel Message',
      fields: { Text: 'From {{1.contact.first_name}}:\n{{1.text}}', Channel: '{{1.unknown}}' },
      json: '{}',
    },
  ],
};

test('a Zap is a list of steps with their apps, filled fields, mapped data and filters', () => {
  expect(formatGuide(definition, 'Parcels', zap)).toBe(`# Tell a customer

Brackets stand for data of an earlier step. For [1. Phone], for example, insert Phone from step 1.

1. Trigger: Parcels, New Inbound Message
   - Channel: WhatsApp
   - Words or Phrases: parcel, box
   - Match: (fill this in)
2. Action: Delay by Zapier, Delay For
   - Time Delayed For: 1 hour
3. Action: Filter by Zapier, Only continue if
   - Rule: [1. Channel] (Text) Does not exactly match sms
   - And: [1. Contact Phone Number] Exists
4. Action: Slack, Send Channel Message
   - Text:
     > From [1. Contact First Name]:
     > [1. Text]
   - Channel: [1. unknown]
`);
});

test('a Zap that maps nothing explains no brackets', () => {
  const steps = zap.steps.slice(0, 2);
  expect(formatGuide(definition, 'Parcels', { ...zap, steps })).not.toContain('Brackets');
});
