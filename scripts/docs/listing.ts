import { recipes } from '../../playground/recipes';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { apiPlan, endpoints } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { vocabulary } from '../../src/api/resources';
import { brand } from '../../src/brand';
import { type Access, nameSteps } from './access';
import { anchor, bullets, code, page, table } from './markdown';

type Entries = [field: string, content: string][];

/** `zapier-platform register` asks these questions, in this order. */
const registration: Entries = [
  ['Title', brand.name],
  ['Description', brand.description],
  ['Homepage', `${brand.homepage}. One admin of the integration needs an email address of this domain.`],
  ['Audience', 'Public'],
  ['Role', 'Employee or contractor of the company behind the service. No other role can publish.'],
  ['Category', 'Phone & SMS, or the closest one in the list.'],
];

const branding: Entries = [
  ['Logo', '`docs/logo.png`'],
  ['Brand color', code(brand.color)],
];

const review: Entries = [
  ['Support', brand.support],
  ['Help for users', brand.help],
  ['API documentation', 'The address where you publish `docs/openapi.json`.'],
  ['How people get their credentials', `They create a token themselves, at ${brand.tokenPage}.`],
  ['Authentication', 'API token. The form also asks for the API address, because each account has its own.'],
  [
    'Plans',
    `The API needs the ${toLabel(apiPlan)} plan or above. Instant triggers need the ${toLabel(endpoints.createWebhook.plan)} plan or above.`,
  ],
  ['Test account', 'The demo account below: address, email, password, API Base URL and API token.'],
];

const demo: string[][] = [
  ['Connect', 'An account that never expires, on the Advanced plan; a token with every scope', 'The Advanced token'],
  ['A plan that is too low', 'A second workspace on the Growth plan, with a token', 'The Growth and Starter tokens'],
  [
    'Send Template Message',
    'An approved template with a text and a time variable, for each channel; a phone that receives it',
    '`parcel_out_for_delivery`, and any number',
  ],
  [
    'Send Message and Wait for Reply',
    'A phone that replies, or a person who does',
    `${code(specialNumbers.replies)} replies on its own`,
  ],
  ['New Inbound Message', 'A phone to write from, and instructions', '`POST /sandbox/messages`'],
  ['New Outbound Message', 'A login, so that a colleague can write', '`POST /sandbox/conversations/{id}/messages`'],
  ['Message Status Updated', 'A phone that reads its messages', 'Any number reads within ten seconds'],
  ['Message Failed', 'A number that is known to fail', code(specialNumbers.failsLater)],
  ['Conversation triggers', 'A conversation to close and to reopen', '`POST /sandbox/conversations/{id}/close`'],
  ['Campaign triggers, Start Campaign', 'A small campaign that can be sent repeatedly', '`Weekend parcel points`'],
  ['Contacts', 'Fictional people, some to change and delete', 'Over two hundred'],
];

const list = (items: Entries): string => bullets(items.map(([item, text]) => `**${item}**: ${text}`));

const scopeRows = (all: Access[]): string[][] => [
  ...vocabulary.scope.map((scope) => [
    code(scope),
    nameSteps(all, ({ run }) => run.includes(scope)),
    nameSteps(all, ({ setUp }) => setUp.includes(scope)),
  ]),
  ['any of them', 'API Request, for calls that need that scope', ''],
];

/** Renders the texts for Zapier's publishing form and the Zap templates. */
export const renderListing = (accesses: Access[]): string => {
  const visible = accesses.length;
  return page(
    '<!-- Made from the app by `npm run docs`. Edit src/brand.ts, scripts/docs/listing.ts and playground/recipes. -->',
    `# The listing of ${brand.name}`,
    'What to enter in each form when you publish. For the steps before that, see [releasing.md](releasing.md).',
    '## What to enter',
    'When you register the integration:',
    list(registration),
    'In the settings of the integration, on the developer platform:',
    list(branding),
    'When you submit the integration for review, the form asks for the following. Its wording may differ:',
    list(review),
    '## What each scope is for',
    'People give their token the scopes that their Zaps need. Reviewers ask why each scope is needed. This table comes from the requests that each step makes.',
    table(['Scope', 'To run', 'Also for lists, forms and tests in the editor'], scopeRows(accesses)),
    '## The demo account',
    `Reviewers try all ${visible} triggers, actions and searches, so they need an account where everything works. Create it for \`integration-testing@zapier.com\`, with the permissions of a customer. Zapier resets the password by email. Copy the table into the form.`,
    'Rehearse with the sandbox first. It has everything, and it sends nothing to anyone. Start it with `npm run sandbox`, use its address and token with `npx zapier-platform invoke`, and simulate customers with the calls in [its README](../sandbox/README.md). `npx jest test/publishing.test.ts` runs every step against the sandbox and compares the results with what the app declares.',
    "The sandbox doesn't replace the account. Zapier can't reach your machine, and it doesn't publish apps that only work with a test environment.",
    table(['To try', 'The account needs', 'In the sandbox'], demo),
    '## Zap templates',
    'Create the templates in the Zap editor once the app is public. [Recipes](recipes.md) has the steps and mappings. Leave every field under "You choose" to the person who uses the template. `playground/recipes` has example records, and a test runs each template.',
    recipes
      .map(({ title, description }) => `1. [${title}](recipes.md${anchor(title)})\n\n   > ${description}`)
      .join('\n\n'),
  );
};
