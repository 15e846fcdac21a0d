import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { creates } from '../creates';
import createContact from '../creates/create-contact';
import { version } from '../package.json';
import { searches } from '../searches';
import findContact from '../searches/find-contact';
import { triggers } from '../triggers';
import { authentication } from './authentication';
import { addConnection } from './call/request';
import { hydrators } from './message/files';
import { startRun } from './step/guard';
import { register } from './step/register';
import { shareDefinition } from './step/shared-definition';

const findOrCreateContact = {
  key: findContact.key,
  display: {
    label: 'Find or Create Contact',
    description: 'Finds a contact by phone number, email or name, or creates one if none is found.',
  },
  search: findContact.key,
  create: createContact.key,
};

const parts = { authentication, triggers, creates, searches };

/** The app definition that Zapier runs. */
export default shareDefinition(
  defineApp({
    version,
    platformVersion,
    flags: {
      // `readInput` cleans the input instead. Unlike Zapier's cleaning, it also runs in tests.
      cleanInputData: false,
      // `decodeResponse` turns refused requests into errors.
      skipThrowForStatus: true,
      throwForThrottlingEarly: false,
      // Every request goes through z.request, which logs it, so core needn't patch Node's HTTP clients.
      skipHttpPatch: true,
    },
    ...parts,
    hydrators,
    // Core calls it experimental, and the package has its own copy of core.
    beforeApp: [startRun(parts)],
    beforeRequest: [addConnection],
    searchOrCreates: register([[findOrCreateContact, ['listContacts', 'createContact']]]),
  }),
);
