import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { call } from '../src/client';
import { dropdown } from '../src/dropdown';

export default defineTrigger({
  key: 'list_templates',
  noun: 'Template',
  display: {
    label: 'List Templates',
    description: 'Triggers when the list of templates behind a dropdown is opened.',
    hidden: true,
  },
  operation: dropdown({
    list: (z, page, { channel }) =>
      call(z, endpoints.listTemplates, { query: { ...page, channel: String(channel ?? '') } }),
    choice: ({ name, language }) => ({ id: name, name: language ? `${name} (${language})` : name }),
    sample: { id: 'parcel_out_for_delivery', name: 'parcel_out_for_delivery (en)' },
  }),
});
