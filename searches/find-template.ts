import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { pick } from '../src/api/json';
import { type Template, template } from '../src/api/resources';
import { call } from '../src/call/call';
import { groupVersions, isApproved, languagesOf, onChannel } from '../src/message/template';
import { type Variables, variablesOf } from '../src/message/variables';
import { bestMatches, listMatches, severalMatch } from '../src/step/ambiguity';
import { searching } from '../src/step/chosen';
import { channelFilter } from '../src/step/dropdowns';
import { formLabels } from '../src/step/input';
import { output } from '../src/step/output';
import { toOneLine } from '../src/text/fold';
import { rankMatches } from '../src/text/match';

const inputFields = defineInputFields([
  {
    key: 'name',
    label: 'Name',
    required: true,
    helpText: 'Enter all or part of the name as the messaging service writes it: `parcel_out`, for example.',
  },
  channelFilter,
]);

const labels = { query: formLabels(inputFields).name, channel: channelFilter.label };

const ambiguity = {
  label: 'Name',
  plural: 'templates',
  remedy: 'Enter the full name, or choose a Channel.',
};

const { name, channel, variables } = template.schema.shape;

const inVersion = { language: true, category: true, header: true, body: true, footer: true, buttons: true } as const;

/** A template on one channel. Its versions are what the service chooses from for each contact. */
const foundTemplate = zod.object({
  name,
  channel,
  languages: zod.array(zod.string()),
  variables,
  versions: zod.array(zod.pick(template.schema, inVersion)),
});
type FoundTemplate = zod.output<typeof foundTemplate>;

const describeVariables = (found: Variables | undefined): FoundTemplate['variables'] =>
  found &&
  [...found.values()].map(({ name, label, example, format, required }) => ({ name, label, example, format, required }));

const toFoundTemplate = (versions: Template[]): FoundTemplate => ({
  name: versions[0]?.name ?? '',
  channel: versions[0]?.channel,
  languages: languagesOf(versions),
  variables: describeVariables(variablesOf(versions)),
  versions: versions.map((each) => pick(each, inVersion)),
});

/** Whether a template has this name, except for case and punctuation. */
const isCalled = (name: string, version: Template | undefined): boolean =>
  rankMatches([version], name, (each) => each?.name)[0]?.rank === 0;

const perform = searching(inputFields, async (z, _, { name, channel }): Promise<FoundTemplate[]> => {
  const found = await listMatches(
    (page) => call(z, endpoints.listTemplates, { query: { query: toOneLine(name), channel, ...page }, labels }),
    ambiguity,
    (each) => JSON.stringify(each),
  );
  const all = groupVersions(channel ? onChannel(found, channel) : found);
  // Names that differ only in case or punctuation are different templates.
  const exact = all.filter(([version]) => version?.name === name);
  const [meant, ...others] = exact.length > 0 ? exact : all.filter(([version]) => isCalled(name, version));
  // One that isn't approved counts too: no other may take its place meanwhile.
  if (others.length > 0) throw severalMatch(ambiguity);
  if (meant && !meant.some(isApproved)) return [];
  const templates = (exact.length > 0 ? exact : all).map((versions) => versions.filter(isApproved));
  const results = templates.filter((versions) => versions.length > 0).map(toFoundTemplate);
  return bestMatches(results, name, (each) => each.name, ambiguity);
}) satisfies SearchPerform<typeof inputFields, FoundTemplate>;

export default defineSearch({
  key: 'find_template',
  noun: 'Template',
  display: {
    label: 'Find Template',
    description: 'Finds an approved message template by name, with its languages, texts and variables.',
  },
  operation: {
    inputFields,
    perform,
    ...output({ noun: template.noun, schema: foundTemplate, sample: toFoundTemplate([template.sample]) }),
  },
});
