import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { passesFilters } from '../src/api/filters';
import { channelFilter } from '../src/forms/reference-fields';
import { call } from '../src/http/client';
import { dropdown, searchField } from '../src/polling/dropdown';

const inputFields = defineInputFields([channelFilter, searchField]);

export default defineTrigger({
  key: 'list_templates',
  noun: 'Template',
  display: {
    label: 'List Templates',
    description: 'Triggers when someone opens a template dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields,
    list: async (z, page, { channel, search }) => {
      const { data, next_cursor } = await call(z, endpoints.listTemplates, {
        query: { ...page, channel, query: search },
      });
      return { data: data.filter((template) => passesFilters(template, { status: 'approved' })), next_cursor };
    },
    toChoice: ({ name, language }) => ({ id: name, name: language ? `${name} (${language})` : name }),
    sample: { id: 'parcel_out_for_delivery', name: 'parcel_out_for_delivery (en)' },
  }),
});
