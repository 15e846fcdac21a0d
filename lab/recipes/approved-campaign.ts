import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const name = 'Autumn opening hours';

export const approvedCampaign: Recipe = {
  name: 'Approve a campaign before it starts',
  group: 'Campaigns',
  line: 'Plan in a calendar, and start with a click.',
  title: `Start ${brand.name} campaigns for new Google Calendar events and tell Slack`,
  description: `A campaign can't be taken back. An hour before an event with the name of a campaign of ${brand.name}, this automation shows a colleague the campaign, its template and how many people get it, with Human in the Loop. It starts only after the colleague approves.`,
  watchOut:
    "Give the event exactly the campaign's name. In **Maximum Recipients**, enter the most people who may get it. If the audience is larger, nothing is sent. Human in the Loop needs a paid Zapier plan.",
  steps: [
    other('Google Calendar', 'Event Start', {
      fields: { 'Time Before': '1 hour' },
      gives: { id: '3j8c0n7q2v', summary: name, start: { dateTime: '2026-06-12T10:00:00+02:00' } },
    }),
    { type: 'app', operation: 'searches.find_campaign', values: { name: '{{1.summary}}' } },
    {
      type: 'approval',
      content: { Campaign: '{{2.name}}', Template: '{{2.template}}', Recipients: '{{2.audience_size}}' },
    },
    {
      type: 'app',
      operation: 'creates.start_campaign',
      values: { campaign: '{{2.id}}', audience: 'saved' },
      choices: { max_recipients: '500', deduplication_key: '{{1.id}}' },
    },
    other('Slack', 'Send Channel Message', {
      fields: { 'Message Text': 'The campaign {{2.name}} starts now, for {{4.recipients}} people.' },
    }),
  ],
  examples: [
    {
      name: 'a person approves it',
      meanwhile: [{ type: 'reviewer decides', decision: 'approved' }],
      outcome: { received: [{ app: 'Slack', fields: { 'Message Text': `The campaign ${name} starts now, for ` } }] },
    },
    {
      name: 'a person declines it',
      meanwhile: [{ type: 'reviewer decides', decision: 'declined' }],
      outcome: {},
    },
  ],
};
