import { calendlyConfirmation } from '../../recipes/calendly-confirmation';
import { facebookLead } from '../../recipes/facebook-lead';
import { example, type OtherRecipeStep } from '../../recipes/recipe';
import { sheetsRow } from '../../recipes/sheets-row';
import { shopifyOrder } from '../../recipes/shopify-order';
import { typeformContact } from '../../recipes/typeform-contact';

/** Actions of other apps that people often add, with their fields and an example of what each returns. */
const actions: readonly OtherRecipeStep[] = [
  {
    type: 'other',
    app: 'Slack',
    event: 'Send Channel Message',
    fields: { Channel: '#deliveries', 'Message Text': '' },
    json: example({ ok: true, channel: 'C024BE91L', ts: '1750068000.000200' }),
  },
  {
    type: 'other',
    app: 'Gmail',
    event: 'Send Email',
    fields: { To: '', Subject: '', Body: '' },
    json: example({ id: '18f2c1a7d3b4e590', threadId: '18f2c1a7d3b4e590' }),
  },
  {
    type: 'other',
    app: 'Google Sheets',
    event: 'Create Spreadsheet Row',
    fields: { Name: '', Phone: '', Status: '' },
    json: example({ 'Row Number': 3, Name: 'Noor Visser', Phone: '(202) 555-0123', Status: 'sent' }),
  },
  {
    type: 'other',
    app: 'HubSpot',
    event: 'Create Contact',
    fields: { 'First Name': '', Email: '', 'Phone Number': '' },
    json: example({ id: '51', firstname: 'Noor', email: 'noor.visser@example.com', phone: '+12025550123' }),
  },
];

/** The recipes that start with the apps that people use most, each with the record that such an app gives. */
const starting = [sheetsRow, shopifyOrder, typeformContact, calendlyConfirmation, facebookLead];
const triggers = starting.flatMap(({ steps: [first] }) => (first.type === 'other' ? first : []));

/** The ready examples of steps of other apps at a position of a Zap. */
export const otherAppsAt = (index: number): readonly OtherRecipeStep[] => (index === 0 ? triggers : actions);
