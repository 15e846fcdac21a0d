import { calendlyConfirmation } from '../../recipes/calendly-confirmation';
import { facebookLead } from '../../recipes/facebook-lead';
import type { OtherRecipeStep } from '../../recipes/recipe';
import { sheetsRow } from '../../recipes/sheets-row';
import { shopifyOrder } from '../../recipes/shopify-order';
import { typeformContact } from '../../recipes/typeform-contact';

/** Actions of other apps that people often add, with their fields and an example of what each returns. */
const actions: readonly OtherRecipeStep[] = [
  {
    app: 'Slack',
    event: 'Send Channel Message',
    fields: { Channel: '#deliveries', 'Message Text': '' },
    record: { ok: true, channel: 'C024BE91L', ts: '1750068000.000200' },
  },
  {
    app: 'Gmail',
    event: 'Send Email',
    fields: { To: '', Subject: '', Body: '' },
    record: { id: '18f2c1a7d3b4e590', threadId: '18f2c1a7d3b4e590' },
  },
  {
    app: 'Google Sheets',
    event: 'Create Spreadsheet Row',
    fields: { Name: '', Phone: '', Status: '' },
    record: { 'Row Number': 3, Name: 'Noor Visser', Phone: '(202) 555-0123', Status: 'sent' },
  },
  {
    app: 'HubSpot',
    event: 'Create Contact',
    fields: { 'First Name': '', Email: '', 'Phone Number': '' },
    record: { id: '51', firstname: 'Noor', email: 'noor.visser@example.com', phone: '+12025550123' },
  },
];

/** The recipes that start with the apps that people use most, each with the record that such an app gives. */
const starting = [sheetsRow, shopifyOrder, typeformContact, calendlyConfirmation, facebookLead];
const triggers = starting.flatMap(({ steps: [first] }) => ('app' in first ? first : []));

/** The ready examples of steps of other apps at a position of a Zap. */
export const otherAppsAt = (index: number): readonly OtherRecipeStep[] => (index === 0 ? triggers : actions);
