import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { toLabel } from '../src/api/labels';
import { type Campaign, vocabulary } from '../src/api/resources';
import { call } from '../src/call/call';
import { bestMatches, listMatches } from '../src/step/ambiguity';
import { formLabels, ordered, readInput } from '../src/step/input';
import { outputs } from '../src/step/output';
import { toOneLine } from '../src/text/fold';

const inputFields = defineInputFields([
  {
    key: 'name',
    label: 'Name',
    required: true,
    helpText: 'Enter all or part of the name. The step stops if several campaigns match equally well.',
  },
  {
    key: 'status',
    label: 'Status',
    choices: ordered(...vocabulary.campaignStatus.map((status) => [status, toLabel(status)] as const)),
  },
]);

const { name: nameLabel, status: statusLabel } = formLabels(inputFields);

const ambiguity = {
  label: 'Name',
  plural: 'campaigns',
  remedy: 'Enter the full name, choose a Status, or give each campaign a different name.',
};

const perform = (async (z, bundle) => {
  const { name, status } = readInput(inputFields, bundle.inputData);
  const found = await listMatches(
    (page) =>
      call(z, endpoints.listCampaigns, {
        query: { query: toOneLine(name), status, ...page },
        labels: { query: nameLabel, status: statusLabel },
      }),
    ambiguity,
  );
  return bestMatches(found, name, (each) => each.name, ambiguity);
}) satisfies SearchPerform<typeof inputFields, Campaign>;

export default defineSearch({
  key: 'find_campaign',
  noun: 'Campaign',
  display: {
    label: 'Find Campaign',
    description: 'Finds a campaign by name, with its status and how many messages were sent, read and failed.',
  },
  operation: { inputFields, perform, ...outputs.Campaign },
});
