import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Template, template } from '../src/api/resources';
import { bestFirst } from '../src/best-match';
import { channelFilter } from '../src/channel-field';
import { call } from '../src/client';
import { readInput } from '../src/input';
import { output } from '../src/output';

const inputFields = defineInputFields([{ key: 'name', label: 'Name', required: true }, channelFilter]);

const perform = (async (z, bundle) => {
  const { name, channel } = readInput(inputFields, bundle.inputData);
  const { data } = await call(z, endpoints.listTemplates, { query: { query: name, channel } });
  return bestFirst(data, name, (found) => found.name);
}) satisfies SearchPerform<typeof inputFields, Template>;

export default defineSearch({
  key: 'find_template',
  noun: 'Template',
  display: {
    label: 'Find Template',
    description: 'Finds a message template by name, with its text and its variables.',
  },
  operation: { inputFields, perform, ...output(template) },
});
