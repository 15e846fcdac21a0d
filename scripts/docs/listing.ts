import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { apiPlan, endpoints } from '../../src/api/endpoints';
import type { Scope } from '../../src/api/resources';
import { brand } from '../../src/brand';
import { type Definition, plainFields, type Step, stepsOf, visibleStepsOf } from './definition';
import { table, toLabel } from './reference';
import { type ZapTemplate, zapTemplates } from './zap-templates';

const boxes: [box: string, content: string][] = [
  ['Name', brand.name],
  ['Description', brand.description],
  ['Homepage', `${brand.homepage} (one admin of the integration needs an email address of the same domain)`],
  ['Logo', '`docs/logo.png`'],
  ['Brand color', `\`${brand.color}\``],
  ['Intended audience', 'Public'],
  ['Role', 'Employee, or contractor, of the company behind the service: no other role can publish'],
  ['Category', 'Phone & SMS, or the one nearest to it in the list'],
  ['Support', brand.support],
  ['Help for users', brand.help],
  ['API documentation', 'The address where you publish `docs/openapi.json`'],
  ['How people get their credentials', `${brand.tokenPage}; people make their tokens themselves`],
  ['Authentication', 'API token. Each account has its own API address, so both are asked for'],
  [
    'Plans',
    `The API needs the ${toLabel(apiPlan)} plan or above, instant triggers the ${toLabel(endpoints.createWebhook.plan)} plan`,
  ],
  ['Test account', 'The demo account below: address, email, password, API Base URL and API token'],
];

const scopes: Record<Scope, string> = {
  'messages:read':
    'Find Message, Find Template, the lists of channels and templates, the fields of a template, the tests of message triggers',
  'messages:write': 'Send Template Message, Send Message and Wait for Reply',
  'contacts:read': 'New Contact, Find Contact, Find Conversation History, the list of contacts',
  'contacts:write': 'Create Contact, Update Contact, Delete Contact',
  'conversations:read': 'Find Conversation History, the tests of conversation triggers',
  'campaigns:read':
    'Find Campaign, the list of campaigns, the fields and Maximum Recipients of Trigger Campaign, the tests of campaign triggers',
  'campaigns:write': 'Trigger Campaign',
  'webhooks:write': 'Every instant trigger, Send Message and Wait for Reply',
};

const demo: string[][] = [
  ['Connect', 'An account that never expires, on the Advanced plan; a token with every scope', 'The Advanced token'],
  ['Be refused', 'A second workspace on the Growth plan, with a token', 'The Growth and Starter tokens'],
  [
    'Send Template Message',
    'An approved template with a text and a time in it, in both channels; a phone that receives',
    '`parcel_out_for_delivery`, and any number',
  ],
  [
    'Send Message and Wait for Reply',
    'A phone that answers, or somebody who does',
    `\`${specialNumbers.replies}\` replies on its own`,
  ],
  ['New Inbound Message', 'A phone to write from, and how to write', '`POST /sandbox/messages`'],
  ['New Outbound Message', 'A login, so that a colleague can write', '`POST /sandbox/conversations/{id}/messages`'],
  ['Message Status Updated', 'A phone that reads what it gets', 'Any number reads within ten seconds'],
  ['Message Failed', 'A number that is known to fail', `\`${specialNumbers.failsLater}\``],
  ['Conversation triggers', 'A conversation to close and to open again', '`POST /sandbox/conversations/{id}/close`'],
  [
    'Campaign triggers, Trigger Campaign',
    'A small campaign that may be sent again and again',
    '`Weekend parcel points`',
  ],
  ['Contacts', 'Made-up people, of whom some may be changed and deleted', 'Over two hundred'],
];

const list = (items: [name: string, text: string][]): string =>
  items.map(([item, text]) => `- **${item}**: ${text}`).join('\n');

const nameOf = (step: ZapTemplate['steps'][number], ours: Map<string, Step>): string =>
  'app' in step ? `**${step.app}**: ${step.event}` : `**${brand.name}**: ${ours.get(step.place)?.display.label}`;

const labelsOf = (step: Step | undefined): Map<string, string | undefined> =>
  new Map(step && plainFields(step).map(({ key, label }) => [key, label]));

const fillIn = (step: ZapTemplate['steps'][number], ours: Map<string, Step>): string => {
  const labels = labelsOf('place' in step ? ours.get(step.place) : undefined);
  return Object.entries(step.fields)
    .map(([field, value]) => `${labels.get(field) ?? field}: ${value}`)
    .join('<br>');
};

const templateSection = ({ title, description, steps }: ZapTemplate, index: number, ours: Map<string, Step>): string =>
  [
    `### ${index + 1}. ${title}`,
    `> ${description}`,
    table(
      ['Step', 'Fill in'],
      steps.map((step) => [nameOf(step, ours), fillIn(step, ours)]),
    ),
  ].join('\n\n');

/** Renders the texts for Zapier's publishing form and the Zap templates. */
export const renderListing = (app: Definition): string => {
  const ours = new Map(stepsOf(app).map(({ place, step }) => [place, step]));
  const visible = visibleStepsOf(app).length;
  return `${[
    '<!-- Made from the app by `npm run docs`. Edit src/brand.ts, scripts/docs/listing.ts and scripts/docs/zap-templates.ts. -->',
    `# The listing of ${brand.name}`,
    'What to write where when you publish. How to get that far is in [releasing.md](releasing.md).',
    '## What goes into each box',
    'Registering asks for some of it, the settings and the publishing form ask for the rest. Boxes come and go; what is asked for is this.',
    list(boxes),
    '## What each scope is for',
    'People give their token the scopes that their Zaps need. Reviewers ask why each of them is needed at all.',
    table(
      ['Scope', 'Needed by'],
      Object.entries(scopes).map(([scope, steps]) => [`\`${scope}\``, steps]),
    ),
    '## The demo account',
    `Reviewers try all ${visible} triggers, actions and searches, so they need an account where everything works. Make it for \`integration-testing@zapier.com\` (they reset the password by email), with the rights of a customer and no more, and tell them in the form what is in the table.`,
    'Rehearse with the sandbox first: it has all of it, and nobody gets a message. Start it with `npm run sandbox`, use the address and the token that it prints with `npx zapier-platform invoke`, and let the rest happen with the calls in [its README](../sandbox/README.md). `npx jest test/publishing.test.ts` does all of that at once: it runs every step against the sandbox and compares what comes with what the app promises.',
    'The sandbox does not replace the account. Zapier cannot reach your machine, and it does not publish apps that only work with a test environment.',
    table(['To try', 'The account needs', 'In the sandbox'], demo),
    `Before you submit, turn on one Zap for each of the ${visible} steps in your own Zapier account and let each run once; three users with a Zap that runs are asked for as well.`,
    '## Ten Zap templates',
    'Templates are made in the Zap editor once the app is public. Leave Channel and Template, and whatever else has a list, to the people who use the template. On the right: the field, and what goes into it from an earlier step.',
    ...zapTemplates.map((template, index) => templateSection(template, index, ours)),
  ].join('\n\n')}\n`;
};
