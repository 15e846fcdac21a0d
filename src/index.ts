import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { creates } from '../creates';
import createContact from '../creates/create-contact';
import { version } from '../package.json';
import { searches } from '../searches';
import findContact from '../searches/find-contact';
import { triggers } from '../triggers';
import { authentication } from './authentication';
import { addConnection } from './http/request';
import { shareDefinition } from './platform/shared-definition';

/** The whole app, as Zapier runs it. */
export default shareDefinition(
  defineApp({
    version,
    platformVersion,
    flags: {
      // People's input is cleaned in `input.ts`, so that tests see what Zapier sees.
      cleanInputData: false,
      // Every answer is explained in one place, `client.ts`.
      skipThrowForStatus: true,
      throwForThrottlingEarly: false,
      // All requests are made, and logged, by z.request: core need not wrap node's own clients as well.
      skipHttpPatch: true,
    },
    authentication,
    beforeRequest: [addConnection],
    triggers,
    creates,
    searches,
    searchOrCreates: {
      [findContact.key]: {
        key: findContact.key,
        display: {
          label: 'Find or Create Contact',
          description: 'Finds a contact by phone number, email or name, or creates one if none is found.',
        },
        search: findContact.key,
        create: createContact.key,
      },
    },
  }),
);
