import { recipes } from '../../playground/recipes';
import type { Condition, Recipe } from '../../playground/recipes/recipe';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { apiPlan, endpoints } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import type { Scope } from '../../src/api/resources';
import { brand } from '../../src/brand';
import { type Definition, namesOf, plainFields, type Step, stepsOf, visibleStepsOf } from './definition';
import { table } from './table';

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
    'Find Message, Find Messages, Find Reply, Find Template, Send Message and Wait for Reply, the lists of channels, templates and messages, the fields of a template, the tests of message triggers',
  'messages:write': 'Send Template Message, Send Message and Wait for Reply',
  'contacts:read': 'New Contact, Find Contact, Find Conversation History by phone number, the list of contacts',
  'contacts:write': 'Create Contact, Create or Update Contact, Update Contact, Delete Contact',
  'conversations:read': 'Find Conversation History, the list of conversations, the tests of conversation triggers',
  'campaigns:read':
    'Find Campaign, the list of campaigns, the fields, tests and Maximum Recipients of Start Campaign, the tests of campaign triggers',
  'campaigns:write': 'Start Campaign',
  'webhooks:write': 'Every instant trigger, Send Message and Wait for Reply',
};

const demo: string[][] = [
  ['Connect', 'An account that never expires, on the Advanced plan; a token with every scope', 'The Advanced token'],
  ['Be refused', 'A second workspace on the Growth plan, with a token', 'The Growth and Starter tokens'],
  [
    'Send Template Message',
    'An approved template with a text and a time variable, in both channels; a phone that receives',
    '`parcel_out_for_delivery`, and any number',
  ],
  [
    'Send Message and Wait for Reply',
    'A phone that replies, or a person who does',
    `\`${specialNumbers.replies}\` replies on its own`,
  ],
  ['New Inbound Message', 'A phone to write from, and instructions', '`POST /sandbox/messages`'],
  ['New Outbound Message', 'A login, so that a colleague can write', '`POST /sandbox/conversations/{id}/messages`'],
  ['Message Status Updated', 'A phone that reads its messages', 'Any number reads within ten seconds'],
  ['Message Failed', 'A number that is known to fail', `\`${specialNumbers.failsLater}\``],
  ['Conversation triggers', 'A conversation to close and to reopen', '`POST /sandbox/conversations/{id}/close`'],
  ['Campaign triggers, Start Campaign', 'A small campaign that can be sent repeatedly', '`Weekend parcel points`'],
  ['Contacts', 'Fictional people, some to change and delete', 'Over two hundred'],
];

const list = (items: [name: string, text: string][]): string =>
  items.map(([item, text]) => `- **${item}**: ${text}`).join('\n');

type Steps = Map<string, Step>;
type RecipeStep = Recipe['steps'][number];

const nameOf = (step: RecipeStep, ours: Steps): string => {
  if ('delayHours' in step) return '**Delay by Zapier**: Delay For';
  if ('app' in step) return `**${step.app}**: ${step.event}`;
  return `**${brand.name}**: ${ours.get(step.place)?.display.label}`;
};

/** Returns what people call an output of a step: `contact.phone` is "Contact Phone Number". */
const outputLabel = (step: RecipeStep | undefined, path: string, ours: Steps): string => {
  const declared = step && 'place' in step ? ours.get(step.place)?.operation.outputFields : undefined;
  const field = declared?.find(({ key }) => key === path.replaceAll('.', '__'));
  if (field) return field.label ?? field.key;
  const words = path.replace(/([a-z])([A-Z])/g, '$1_$2').split('.');
  return words.map(toLabel).join(' ');
};

/** Replaces each mapping with the step and the label of its output: `{{1.contact.phone}}` is "1. Contact Phone Number". */
const showMappings = (text: string, steps: Recipe['steps'], ours: Steps): string =>
  text.replace(
    /\{\{(\d+)\.([^{}]+)\}\}/g,
    (_, step: string, path: string) => `{${step}. ${outputLabel(steps[Number(step) - 1], path, ours)}}`,
  );

const showCondition = (condition: Condition): string =>
  `Only if ${condition.value} ${'is' in condition ? `is ${condition.is}` : `isn't ${condition.isNot}`}`;

const linesOf = (step: RecipeStep, ours: Steps): string[] => {
  if ('delayHours' in step) return [`Time Delayed For: ${step.delayHours} hours`];
  const form = 'place' in step ? ours.get(step.place) : undefined;
  const known = new Map(form && plainFields(form).map((field) => [field.key, field]));
  const fields = Object.entries(step.fields ?? {}).map(([key, value]) => {
    const { label = key, choices } = known.get(key) ?? {};
    return `${label}: ${namesOf(choices)[`${value}`] ?? value}`;
  });
  return [...(step.onlyIf ? [showCondition(step.onlyIf)] : []), ...fields];
};

const templateSection = ({ title, description, steps }: Recipe, index: number, ours: Steps): string =>
  [
    `### ${index + 1}. ${title}`,
    `> ${description}`,
    table(
      ['Step', 'Fill in'],
      steps.map((step, place) => [
        `${place + 1}. ${nameOf(step, ours)}`,
        linesOf(step, ours)
          .map((line) => showMappings(line, steps, ours))
          .join('<br>'),
      ]),
    ),
  ].join('\n\n');

/** Renders the texts for Zapier's publishing form and the Zap templates. */
export const renderListing = (app: Definition): string => {
  const ours = new Map(stepsOf(app).map(({ place, step }) => [place, step]));
  const visible = visibleStepsOf(app).length;
  return `${[
    '<!-- Made from the app by `npm run docs`. Edit src/brand.ts, scripts/docs/listing.ts and playground/recipes. -->',
    `# The listing of ${brand.name}`,
    'What to enter in each form when you publish. For the steps before that, see [releasing.md](releasing.md).',
    '## What to enter',
    'The forms for registering, settings and publishing change, but they ask for the following.',
    list(boxes),
    '## What each scope is for',
    'People give their token the scopes that their Zaps need. Reviewers ask why each scope is needed.',
    table(
      ['Scope', 'Needed by'],
      [
        ...Object.entries(scopes).map(([scope, steps]) => [`\`${scope}\``, steps]),
        ['Any of them', 'API Request, for calls that need that scope'],
      ],
    ),
    '## The demo account',
    `Reviewers try all ${visible} triggers, actions and searches, so they need an account where everything works. Make it for \`integration-testing@zapier.com\` (they reset the password by email), with the rights of a customer and no more, and tell them in the form what is in the table.`,
    'Rehearse with the sandbox first. It has everything, and it sends nothing to anyone. Start it with `npm run sandbox`, use its address and token with `npx zapier-platform invoke`, and simulate customers with the calls in [its README](../sandbox/README.md). `npx jest test/publishing.test.ts` runs every step against the sandbox and compares the results with what the app declares.',
    "The sandbox doesn't replace the account. Zapier can't reach your machine, and it doesn't publish apps that only work with a test environment.",
    table(['To try', 'The account needs', 'In the sandbox'], demo),
    `Before you submit, turn on one Zap for each of the ${visible} steps in your own Zapier account and let each run once. Zapier also asks for three users with a running Zap.`,
    '## Zap templates',
    'Create the templates in the Zap editor once the app is public. Leave Channel, Template and every other list to the person who uses the template. The table shows what to enter in each field: text in braces is an output of an earlier step. "Only if" is a filter, or a path when two steps exclude each other. `playground/recipes` has the templates with example records, and a test runs each of them.',
    ...recipes.map((recipe, index) => templateSection(recipe, index, ours)),
  ].join('\n\n')}\n`;
};
