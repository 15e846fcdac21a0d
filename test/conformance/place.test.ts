import { placeOf, placeOfWords } from '../../conformance/compare/place';
import { message, vocabulary } from '../../src/api/resources';
import { openEnum } from '../../src/api/wire';

test.each<[owner: string, path: string[], place: string]>([
  ['message', ['text'], '`text` of a message, src/api/resources.ts'],
  ['message', ['data', 'contact', 'phone'], '`contact.phone` of a message, src/api/resources.ts'],
  ['campaignRun', ['recipients'], '`recipients` of a run, src/api/resources.ts'],
  ['webhookFilters', ['from'], '`from` in `webhookFilters`, src/api/resources.ts'],
  ['contact', ['language'], '`language` in `personFields`, src/api/resources.ts'],
  ['contact', ['tags'], '`tags` of a contact, src/api/resources.ts'],
  ['contact', ['data'], '`data` in `list`, src/api/endpoints.ts'],
  ['contact', ['next_cursor'], '`next_cursor` in `list`, src/api/endpoints.ts'],
  ['listContacts', ['tag'], '`tag` in `listContacts`, src/api/endpoints.ts'],
  ['listContacts', ['after'], '`after` in `listQuery`, src/api/endpoints.ts'],
  ['missing', [], '`missing`, src/api/endpoints.ts'],
  ['errorResponse', ['error', 'code'], '`error.code` in `errorResponse`, src/api/errors.ts'],
  ['delivery', ['data'], '`data` in `event`, src/api/events.ts'],
  ['signature', [], '`signature`, src/api/service.ts'],
])('names where src/api declares %s %j', (owner, path, place) => {
  expect(placeOf(owner, path)).toBe(` (${place})`);
});

test('names the list of words that a text takes', () => {
  expect(placeOfWords(message.schema.shape.status)).toBe(' (`messageStatus` in `vocabulary`, src/api/resources.ts)');
  expect(placeOfWords(openEnum(vocabulary.event))).toBe(' (`event` in `vocabulary`, src/api/resources.ts)');
  expect(placeOfWords(message.schema.shape.text)).toBe('');
});
