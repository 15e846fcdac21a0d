import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

/** A row of the sheet in which the Zap writes what became of its message. */
export const delivery = {
  'Row Number': 2,
  Order: 'A-1042',
  Name: 'Noor Visser',
  Status: '',
  Phone: '(202) 555-0123',
  Parcel: 'PX-20418',
  Arrives: '2:30 pm',
  'Message ID': '',
};

export const sheetsRow: Recipe = {
  name: 'Message for each new row',
  group: 'Orders',
  line: 'Message the customer in each new row.',
  title: `Send ${brand.name} WhatsApp messages for new Google Sheets rows`,
  description: `A spreadsheet is often the first list of orders or appointments. This integration turns each new row in Google Sheets into a message from ${brand.name}, and notes in the row that it went out. If Send Once for Each has the order, a replay within 24 hours sends nothing twice.`,
  watchOut:
    "Fill in or paste a whole row at once, because the Zap starts when it sees the row. Cells that you fill in later aren't in the message.",
  steps: [
    other('Google Sheets', 'New Spreadsheet Row', {
      fields: { Spreadsheet: 'Deliveries' },
      gives: delivery,
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.Phone}}', deduplication_key: '{{1.Order}}' },
      choices: {
        channel: 'whatsapp',
        template: 'parcel_out_for_delivery',
        variable_parcel_id: '{{1.Parcel}}',
        variable_arrival_time: '{{1.Arrives}}',
      },
    },
    other('Google Sheets', 'Update Spreadsheet Row', {
      fields: { Spreadsheet: 'Deliveries', Row: '{{1.Row Number}}', 'Message ID': '{{2.id}}', Status: '{{2.status}}' },
      row: { does: 'change', field: 'Row', column: 'Row Number' },
    }),
  ],
  examples: [
    {
      name: 'a row',
      outcome: {
        sent: [{ to: '+12025550123', text: 'Your parcel PX-20418 arrives today at about 14:30.' }],
        received: [{ app: 'Google Sheets', fields: { Row: '2', 'Message ID': 'msg_', Status: 'queued' } }],
      },
    },
  ],
};
