import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Template, template } from '../src/api/resources';
import { channelFilter } from '../src/forms/reference-fields';
import { groupVersions, isApproved, labelOfTemplate } from '../src/forms/template-versions';
import { call } from '../src/http/client';
import { dropdown, searchField } from '../src/polling/dropdown';

const labels = { channel: channelFilter.label, query: searchField.label };

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
      // A name can mean another template on each channel.
      if (!channel) return { data: [] };
      const query = { ...page, channel, query: search };
      const { data, next_cursor } = await call(z, endpoints.listTemplates, { query, labels });
      return { data: groupVersions(data.filter(isApproved)), next_cursor };
    },
    toChoice: (versions: Template[]) => ({ id: versions[0]?.name ?? '', name: labelOfTemplate(versions) }),
    sample: [template.sample],
  }),
});
