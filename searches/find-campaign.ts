import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Campaign } from '../src/api/resources';
import { toOneLine } from '../src/formats/text';
import { formLabels, readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { lookUp } from '../src/http/client';
import { bestMatches } from '../src/messages/best-match';
import { firstRecords } from '../src/polling/paginate';

const inputFields = defineInputFields([
  { key: 'name', label: 'Name', required: true, helpText: 'Enter all or part of the name, such as `summer`.' },
]);

const labels = { query: formLabels(inputFields).name };

const perform = (async (z, bundle) => {
  const { name } = readInput(inputFields, bundle.inputData);
  const found = await firstRecords((page) =>
    lookUp(z, endpoints.listCampaigns, {
      query: { query: toOneLine(name), ...page },
      labels,
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
