import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { passesFilters } from '../src/api/filters';
import { template } from '../src/api/resources';
import { channelFilter } from '../src/forms/reference-fields';
import { call } from '../src/http/client';
import { dropdown, searchField } from '../src/polling/dropdown';

export default defineTrigger({
  key: 'list_templates',
  noun: 'Template',
  display: {
    label: 'List Templates',
    description: 'Triggers when someone opens a template dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [channelFilter, searchField],
    list: async (z, page, { channel, search }) => {
      const { data, next_cursor } = await call(z, endpoints.listTemplates, {
        query: { ...page, channel, query: search },
        labels: { channel: channelFilter.label, query: searchField.label },
      });
      return { data: data.filter((each) => passesFilters(each, { status: 'approved' })), next_cursor };
    },
    toChoice: ({ name, language }) => ({ id: name, name: language ? `${name} (${language})` : name }),
    sample: template.sample,
  }),
});
