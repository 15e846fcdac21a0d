import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const sheetsCampaign: Recipe = {
  name: 'Log completed campaigns',
  group: 'Campaigns',
  line: 'Compare your campaigns in one table.',
  title: `Log new completed ${brand.name} campaigns in Google Sheets`,
  description: `It's easy to compare campaigns when their figures are in one table. After a campaign is completed in ${brand.name}, this integration adds its name and results to Google Sheets as a new row. The table grows with every campaign.`,
  watchOut:
    'People still read and reply after the campaign is completed. For final figures, add a delay of a day and Find Campaign before step 2.',
  steps: [
    { type: 'app', operation: 'triggers.campaign_completed' },
    other('Google Sheets', 'Create Spreadsheet Row', {
      fields: {
        Campaign: '{{1.name}}',
        Recipients: '{{1.stats.recipients}}',
        Delivered: '{{1.stats.delivered}}',
        Read: '{{1.stats.read}}',
        Replied: '{{1.stats.replied}}',
      },
    }),
  ],
  examples: [
    {
      name: 'a campaign is completed',
      before: [{ type: 'campaign completes', name: 'Autumn opening hours' }],
      outcome: { received: [{ app: 'Google Sheets', fields: { Campaign: 'Autumn opening hours' } }] },
    },
  ],
};
