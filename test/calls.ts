import { routesOf } from '../src/api/encode';
import { calls, type EndpointName } from '../src/api/endpoints';
import * as resources from '../src/api/resources';

const routes = calls.flatMap(([name, endpoint]) =>
  routesOf(endpoint).map(({ method, path }) => ({ name, route: `${method} ${path}` })),
);

const toPattern = (route: string): RegExp => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Returns the call that a method and a path belong to; undefined when there is none. */
export const callAt = (method: string, path: string): EndpointName | undefined =>
  routes.find(({ route }) => toPattern(route).test(`${method} ${path}`))?.name;

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
