import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const teamsCampaignFailure: Recipe = {
  name: 'Failed campaigns in Teams',
  group: 'Campaigns',
  line: 'Act as soon as a campaign stops halfway.',
  title: `Post new failed ${brand.name} campaigns to Microsoft Teams channels`,
  description: `A campaign that stops halfway needs someone's attention. As soon as a campaign fails in ${brand.name}, this automation posts its name and the number of sent messages to a Microsoft Teams channel. A link opens the campaign, so the team can act at once.`,
  watchOut: "Don't start the same campaign again for everyone, because people who got the message would get it twice.",
  steps: [
    { type: 'app', operation: 'triggers.campaign_failed' },
    other('Microsoft Teams', 'Send Channel Message', {
      fields: {
        'Message Text': 'The campaign {{1.name}} failed after {{1.stats.sent}} messages. {{1.url}}',
      },
    }),
  ],
  examples: [
    {
      name: 'a campaign fails',
      before: [{ type: 'campaign fails', name: 'Weekend parcel points' }],
      outcome: {
        received: [
          {
            app: 'Microsoft Teams',
            fields: { 'Message Text': 'The campaign Weekend parcel points failed after ' },
          },
        ],
      },
    },
  ],
};
