import { endpoints } from '../src/api/endpoints';
import { call } from '../src/http/client';
import { defineInputFields, defineTrigger } from '../src/platform';
import { dropdown, searchField } from '../src/polling/dropdown';

const inputFields = defineInputFields([{ key: 'channel', label: 'Channel' }, searchField]);

export default defineTrigger({
  key: 'list_templates',
  noun: 'Template',
  display: {
    label: 'List Templates',
    description: 'Triggers when the list of templates behind a dropdown is opened.',
    hidden: true,
  },
  operation: dropdown({
    inputFields,
    list: (z, page, { channel, search }) =>
      call(z, endpoints.listTemplates, { query: { ...page, channel, query: search } }),
    choice: ({ name, language }) => ({ id: name, name: language ? `${name} (${language})` : name }),
    sample: { id: 'parcel_out_for_delivery', name: 'parcel_out_for_delivery (en)' },
  }),
});
