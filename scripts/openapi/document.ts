import { brand } from '../../src/brand';
import { writeErrorResponses } from './error-responses';
import { writeHeaders } from './headers';
import { writePaths, writeTags } from './operations';
import { writeSchemas } from './schemas';
import { writeWebhooks } from './webhooks';

const description = `What the integration takes the API of the messaging service to be.

\`x-basis\` says what each part rests on: \`specified\` parts stand in the service's specification, in the section that
\`x-section\` names; \`assumed\` parts are the most usual choice among such services, and may turn out different. Reading is
tolerant: an answer may have more fields, lack those that are not required, and hold words that \`x-extensible-enum\`
does not list.`;

const contract = (): object => ({
  openapi: '3.1.0',
  info: { title: 'Messaging Service API', version: 'v1', description, license: { name: 'MIT', identifier: 'MIT' } },
  servers: [
    {
      url: '{base_url}',
      description: 'Each account has its own.',
      variables: { base_url: { default: brand.api } },
    },
  ],
  tags: [...writeTags(), { name: 'events', description: 'What the service reports by webhook.' }],
  paths: writePaths(),
  webhooks: writeWebhooks(),
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of the workspace. That it has scopes is specified; what they are called is assumed.',
        'x-basis': 'specified',
        'x-section': '§5',
      },
    },
    headers: writeHeaders(),
    responses: writeErrorResponses(),
    schemas: writeSchemas(),
  },
});

/** Writes the contract of `src/api` as an OpenAPI 3.1 document in JSON. The output is deterministic. */
export const writeDocument = (): string => `${JSON.stringify(contract(), null, 2)}\n`;
