import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Campaign } from '../src/api/resources';
import { bestMatches } from '../src/formats/best-match';
import { toOneLine } from '../src/formats/text';
import { readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { find } from '../src/http/client';
import { firstRecords } from '../src/polling/paginate';

const inputFields = defineInputFields([
  { key: 'name', label: 'Name', required: true, helpText: 'Enter all or part of the name, such as `summer`.' },
]);

const perform = (async (z, bundle) => {
  const { name } = readInput(inputFields, bundle.inputData);
  const found = await firstRecords((page) =>
    find(z, endpoints.listCampaigns, {
      query: { query: toOneLine(name), ...page },
      labels: { query: 'Name' },
    }),
  );
  return bestMatches(found, name, (each) => each.name);
}) satisfies SearchPerform<typeof inputFields, Campaign>;

export default defineSearch({
  key: 'find_campaign',
  noun: 'Campaign',
  display: {
    label: 'Find Campaign',
    description: 'Finds a campaign by name, with its status and figures, such as how many messages were read.',
  },
  operation: { inputFields, perform, ...outputs.Campaign },
});
