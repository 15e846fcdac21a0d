import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { campaign } from '../src/api/resources';
import { call } from '../src/http/client';
import { dropdown, searchField } from '../src/polling/dropdown';

export default defineTrigger({
  key: 'list_campaigns',
  noun: 'Campaign',
  display: {
    label: 'List Campaigns',
    description: 'Triggers when someone opens a campaign dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [searchField],
    list: (z, page, { search }) =>
      call(z, endpoints.listCampaigns, { query: { ...page, query: search }, labels: { query: searchField.label } }),
    toChoice: ({ id, name, status }) => ({ id, name: `${name ?? id}${status ? ` (${status})` : ''}` }),
    sample: campaign.sample,
  }),
});
