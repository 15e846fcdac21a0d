import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Template, template } from '../src/api/resources';
import { toOneLine } from '../src/formats/text';
import { formLabels, readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { channelFilter } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { bestMatches } from '../src/messages/best-match';
import { firstRecords } from '../src/polling/paginate';

const inputFields = defineInputFields([
  { key: 'name', label: 'Name', required: true, helpText: 'Enter all or part of the name, such as `parcel`.' },
  channelFilter,
]);

const labels = { query: formLabels(inputFields).name, channel: channelFilter.label };

const perform = (async (z, bundle) => {
  const { name, channel } = readInput(inputFields, bundle.inputData);
  const found = await firstRecords((page) =>
    lookUp(z, endpoints.listTemplates, {
      query: { query: toOneLine(name), channel, ...page },
      labels,
    }),
  );
  return bestMatches(found, name, (each) => each.name);
}) satisfies SearchPerform<typeof inputFields, Template>;

export default defineSearch({
  key: 'find_template',
  noun: 'Template',
  display: {
    label: 'Find Template',
    description: 'Finds a message template by name, with its text and variables.',
  },
  operation: { inputFields, perform, ...output(template) },
});
