import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';
import { delivery, sheetsRow } from './sheets-row';

const written = (Status: string) => ({ app: 'Google Sheets', fields: { Row: '3', Status } });
const looked = { app: 'Google Sheets', fields: { 'Lookup Value': 'msg_' } };

export const sheetsTicks: Recipe = {
  name: 'Sent, delivered and read in your sheet',
  group: 'Orders',
  line: 'See in the sheet who got and read the message.',
  title: `Update Google Sheets rows for new ${brand.name} message statuses`,
  description: `A sheet of orders should say who has read your message. Whenever the status of a message changes in ${brand.name}, this automation finds its row in Google Sheets and writes the status there: sent, delivered, read or failed. Sort by it, and call those who weren't reached.`,
  watchOut:
    'Turn on "Message for each new row" as well, because it writes the Message ID by which a row is found. Step 2 gives it the time to do that. Each change of status costs three tasks, so choose only those that you need in step 1.',
  needs: sheetsRow,
  steps: [
    {
      type: 'app',
      operation: 'triggers.message_status_updated',
      values: { statuses: ['sent', 'delivered', 'read', 'failed'] },
    },
    { type: 'delay', value: '1', unit: 'minutes' },
    { type: 'app', operation: 'searches.find_message_status', values: { message: '{{1.id}}' } },
    other('Google Sheets', 'Lookup Spreadsheet Row', {
      fields: { Spreadsheet: 'Deliveries', 'Lookup Column': 'Message ID', 'Lookup Value': '{{1.id}}' },
      row: { does: 'find', field: 'Lookup Value', column: 'Message ID' },
      gives: delivery,
    }),
    other('Google Sheets', 'Update Spreadsheet Row', {
      fields: { Spreadsheet: 'Deliveries', Row: '{{4.Row Number}}', Status: '{{3.status}}' },
      row: { does: 'change', field: 'Row', column: 'Row Number' },
    }),
  ],
  examples: [
    {
      name: 'the customer in a row gets and reads the message',
      before: [{ type: 'row is added', zap: sheetsRow.title }],
      outcome: {
        sent: [{ to: '+12025550141', text: 'Your parcel PX-20419 arrives today at about 14:30.' }],
        // One for each change, and each writes the newest status.
        runs: 3,
        received: [looked, written('read')],
      },
    },
  ],
};
