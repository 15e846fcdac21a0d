import { brand } from '../../src/brand';
import { writeHeaders } from './headers';
import { writePaths, writeTags } from './operations';
import { writeSchemas } from './schemas';
import { writeWebhooks } from './webhooks';

const description = `The API of the messaging service, as the integration uses it.

\`x-basis\` is \`specified\` for what the service's specification shows, in the section that \`x-section\` names. It is
\`assumed\` for a common choice that the real API may not share. \`x-scope-basis\`, \`x-plan-basis\`, \`x-required-basis\` and
\`x-pattern-basis\` say the same of a scope, a plan, the required fields and a pattern.

Reading is tolerant. A response may have more fields and may lack those that aren't required. A text may have values
that \`x-extensible-enum\` doesn't list. An empty field is null or missing.`;

const operations = { paths: writePaths(), webhooks: writeWebhooks() };

const contract = (): object => ({
  openapi: '3.1.0',
  info: {
    title: `${brand.name} API`,
    version: 'v1',
    description,
    contact: { name: brand.name, url: brand.homepage, email: brand.support },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: '{base_url}',
      description: 'Assumed: each account has its own.',
      variables: { base_url: { default: brand.api } },
    },
  ],
  tags: writeTags(),
  ...operations,
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of the workspace, with scopes.',
        'x-basis': 'specified',
        'x-section': '§5',
        'x-scope-basis': 'assumed',
      },
    },
    headers: writeHeaders(),
    schemas: writeSchemas(operations),
  },
});

/** Writes the contract of `src/api` as an OpenAPI 3.1 document in JSON. The output is deterministic. */
export const writeDocument = (): string => `${JSON.stringify(contract(), null, 2)}\n`;
