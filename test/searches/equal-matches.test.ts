/** A step that would act on the result of a search never gets one of several records that match equally well. */
import fc from 'fast-check';
import nock from 'nock';
import type { EndpointName } from '../../src/api/endpoints';
import { contact, conversation, type Template, template } from '../../src/api/resources';
import app from '../../src/index';
import { pathOf } from '../support/calls';
import { authData, service, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

interface Search {
  /** The search's input. */
  input: Record<string, string>;
  /** The call that lists the records to choose from. */
  list: EndpointName;
  /** Returns a record that matches as well as any other of the same rank; 0 is the best rank. */
  make: (id: string, rank: number) => object;
  /** The number of ranks: a field that a record has or hasn't gives one. */
  ranks: number;
  /** Returns the fields of a record that its result has too. The record itself if left out. */
  kept?: (record: object) => object;
  /** The results of other calls that the search makes. */
  others?: Partial<Record<EndpointName, object>>;
}

const names = ['Summer', 'Summer Sale', 'Our Summer'];

const named = { make: (id: string, rank: number) => ({ id, name: names[rank] }), ranks: names.length };

const page = (data: object[]) => ({ data, next_cursor: null });

/** Every search of one record. A search by the id of a record can't match two. */
const searchesOfOne: Record<string, Search[]> = {
  find_campaign: [
    { input: { name: 'summer' }, list: 'listCampaigns', ...named },
    { input: { name: 'summer', status: 'draft' }, list: 'listCampaigns', ...named },
  ],
  find_template: [
    {
      input: { name: 'summer' },
      list: 'listTemplates',
      ranks: names.length,
      make: (id, rank) => ({ ...template.sample, channel: id, name: names[rank] }),
      // A result has the versions of a template together.
      kept: ({ name, channel }: Partial<Template>) => ({ name, channel }),
    },
  ],
  find_contact: [
    {
      input: { name: 'summer' },
      list: 'listContacts',
      ranks: names.length,
      make: (id, rank) => ({ ...contact.sample, id, first_name: names[rank], last_name: null }),
    },
    {
      input: { phone: '+12025550123' },
      list: 'listContacts',
      ranks: 1,
      make: (id) => ({ ...contact.sample, id, phone: '+12025550123' }),
    },
    {
      input: { email: 'noor@example.com' },
      list: 'listContacts',
      ranks: 1,
      make: (id) => ({ ...contact.sample, id, email: 'noor@example.com' }),
    },
  ],
  find_conversation: [
    {
      input: { phone: '+12025550123' },
      list: 'listConversations',
      ranks: 5,
      make: (id, rank) => ({ ...conversation.sample, id, created_at: `202${9 - rank}-01-01T00:00:00Z` }),
      others: { listContacts: page([contact.sample]), listConversationMessages: page([]) },
    },
  ],
};

/** Searches whose results are lists, and searches by an id. */
const exempt = ['find_message', 'find_messages', 'find_conversations', 'find_reply'];

test('every search is either a list, by an id, or below', () => {
  expect([...Object.keys(searchesOfOne), ...exempt].toSorted()).toEqual(Object.keys(app.searches ?? {}).toSorted());
});

const pathnameOf = (url: string): string => new URL(url, authData.base_url).pathname;

/** Answers a call as often as it's made. `respond` gets the cursor of the request. */
const serve = (name: EndpointName, respond: (after: string | null) => object): void => {
  const path = new RegExp(`^${pathOf(name, { id: 'ID' }).replace('ID', '[^/]+')}$`);
  service()
    .persist()
    .get((url) => path.test(pathnameOf(url)))
    .reply(200, (url) => toResponse(name, 200, respond(new URL(url, authData.base_url).searchParams.get('after'))));
};

/** Runs a search that finds these pages. Returns the ids of its results, or what stopped it. */
const find = async (key: string, search: Search, pageAt: (index: number) => object): Promise<unknown> => {
  serve(search.list, (after) => pageAt(Number(after)));
  for (const [name, response] of Object.entries(search.others ?? {})) serve(name as EndpointName, () => response);
  const bundle = { authData, inputData: search.input };
  const found = await runStep(`searches.${key}.operation.perform`, bundle).catch((error: Error) => error);
  nock.cleanAll();
  return found;
};

/** Cuts records into pages. Some are empty. */
const toPages = (records: object[], cuts: number[]): object[][] => {
  const ends = [...cuts.map((cut) => cut % (records.length + 1)).toSorted((one, other) => one - other), records.length];
  return ends.map((end, index) => records.slice(ends[index - 1] ?? 0, end));
};

describe.each(
  Object.entries(searchesOfOne).flatMap(([key, searches]) =>
    searches.map((search) => [key, search.input, search] as const),
  ),
)('%s by %j', (key, _input, search) => {
  test('gives the best record, and stops when another matches as well, in any order and on any pages', async () => {
    const ranks = fc.array(fc.nat(search.ranks - 1), { maxLength: 6 });
    const order = fc.infiniteStream(fc.nat());
    const cuts = fc.array(fc.nat(), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(ranks, order, cuts, async (chosen, stream, cutsOf) => {
        const records = chosen.map((rank, index) => ({ rank, record: search.make(`id_${index}`, rank) }));
        const best = Math.min(...chosen);
        const bestRecords = records.filter(({ rank }) => rank === best);
        const shuffled = records
          .map((each) => ({ each, at: stream.next().value }))
          .toSorted((one, other) => one.at - other.at);
        const pages = toPages(
          shuffled.map(({ each }) => each.record),
          cutsOf,
        );
        const pageAt = (index: number) => ({
          data: pages[index],
          next_cursor: index + 1 < pages.length ? String(index + 1) : null,
        });
        const found = await find(key, search, pageAt);
        if (bestRecords.length > 1) {
          expect(found).toMatchObject({ name: 'HaltedError', message: expect.stringContaining('match equally well') });
        } else {
          const { kept = (record: object) => record } = search;
          const [wanted] = bestRecords.map(({ record }) => expect.objectContaining(kept(record)));
          expect([found].flat()[0]).toEqual(wanted);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('stops when there are more records than it reads, although one on the first page matches best', async () => {
    const found = await find(key, search, (index) => ({
      data: [search.make(`id_${index}`, index === 0 ? 0 : search.ranks - 1)],
      next_cursor: String(index + 1),
    }));
    expect(found).toMatchObject({ name: 'HaltedError', message: expect.stringContaining('too many') });
  });
});
