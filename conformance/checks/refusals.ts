import { randomUUID } from 'node:crypto';
import { type AnyInput, type Endpoint, endpoints } from '../../src/api/endpoints';
import { requireRefusal } from '../contract/response';
import type { Service } from '../service';
import type { Check } from './check';
import { reads } from './records';

/** What nobody can have: an id, a name and a token. */
const nobodys = `conformance-check-${randomUUID()}`;

const nowhere: Endpoint = { ...endpoints.getWorkspace, path: `/v1/${nobodys}` };

const unknownRecords = (service: Service): Check[] =>
  reads
    .filter(([, { path }]) => path.includes('{'))
    .map(([name, endpoint]) => ({
      name: `${name}, when there is none`,
      basis: endpoint.basis,
      run: async () => {
        const input: AnyInput = { id: nobodys, name: nobodys };
        return requireRefusal(await service.ask<Endpoint>(endpoint, input), 'not_found');
      },
    }));

/** How the service refuses: what does not exist, a wrong token, wrong input. */
export const refusalChecks = (service: Service): Check[] => [
  ...unknownRecords(service),
  {
    name: 'a path that does not exist',
    basis: 'assumed',
    run: async () => requireRefusal(await service.ask(nowhere, {}), 'not_found'),
  },
  {
    name: 'a wrong token',
    basis: 'assumed',
    run: async () => requireRefusal(await service.ask(endpoints.getWorkspace, {}, nobodys), 'invalid_token'),
  },
  {
    name: 'no token',
    basis: 'assumed',
    run: async () => requireRefusal(await service.ask(endpoints.getWorkspace, {}, ''), 'invalid_token'),
  },
  {
    name: 'a limit that cannot be',
    basis: 'assumed',
    run: async () => {
      return requireRefusal(await service.ask(endpoints.listMessages, { query: { limit: -1 } }), 'validation_failed');
    },
  },
  {
    name: 'a cursor that is none',
    basis: 'assumed',
    run: async () => {
      const answer = await service.ask(endpoints.listMessages, { query: { after: nobodys } });
      return requireRefusal(answer, 'validation_failed');
    },
  },
];
