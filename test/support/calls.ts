import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { type AnyInput, endpoints } from '../../src/api/endpoints';
import * as resources from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';

/** The path of a call, with its parameters. */
export const pathOf = (name: EndpointName, input: AnyInput = {}): string => {
  const { path, parameters } = encode(endpoints[name], input, exampleConnection);
  const values = new Map<string, unknown>(Object.entries(parameters));
  return path.replace(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(String(values.get(parameter)).toWellFormed()));
};

const samples: [names: RegExp, sample: object][] = [
  [/^triggerCampaign$/, resources.campaignRun.sample],
  [/Workspace$/, resources.workspace.sample],
  [/Channels$/, resources.channel.sample],
  [/Templates?$/, resources.template.sample],
  [/Contacts?$/, resources.contact.sample],
  [/Messages?$/, resources.message.sample],
  [/Conversations?$/, resources.conversation.sample],
  [/Campaigns?$/, resources.campaign.sample],
  [/Webhooks?$/, resources.webhook.sample],
];

/** Returns a good response of a call in our names: the example of its record, or a list with that alone. */
export const goodResponse = (name: EndpointName): object => {
  const sample = samples.find(([names]) => names.test(name))?.[1] ?? {};
  return name.startsWith('list') ? { data: [sample], next_cursor: null } : sample;
};
