/** Triggers that poll, and the records that a test step lists. */

import app from '../../src';
import { contact, message } from '../../src/api/resources';
import { type Bundle, runTrigger } from '../support/run-trigger';
import { allowWebhooks, authData, expectCall, toResponse } from '../support/service';
import { reachable, triggered } from '../support/triggered';
import { runAlone } from '../support/zapier';

describe('polling', () => {
  const run = (trigger: string, bundle: Bundle = {}) => runTrigger(trigger, 'perform', bundle);

  describe('new_contact', () => {
    const addedAt = (from: number, to: number, created_at: string) =>
      Array.from({ length: to - from }, (_, index) => ({ id: `con_${from + index}`, created_at }));
    const now = new Date().toISOString();

    test('gives all 120 contacts of an import, and reads no page more than it needs', async () => {
      const pages = [addedAt(0, 100, now), [...addedAt(100, 120, now), contact.sample]];
      expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: pages[0], next_cursor: 'p2' });
      expectCall('listContacts', { query: { limit: 100, after: 'p2' } }).reply(200, {
        data: pages[1],
        next_cursor: 'p3',
      });
      await expect(run('new_contact')).resolves.toHaveLength(121);
      // Zapier pages only through dropdowns.
      expect(app.triggers.new_contact?.operation).not.toHaveProperty('canPaginate');
    });

    const serveNew = (pages: number, size: number) => {
      const respond = ({ url }: { url: string }) => {
        const page = Number(new URL(url, authData.base_url).searchParams.get('after') ?? 0);
        const data = addedAt(page * size, (page + 1) * size, page < pages ? now : '2020-01-01T00:00:00Z');
        return new Response(toResponse({ data, next_cursor: String(page + 1) }));
      };
      const cache = { get: async () => null, set: async () => true };
      return runAlone('triggers.new_contact.operation.perform', { authData }, { respond, cache });
    };

    test.each([
      [49, 100],
      [60, 20],
    ])('gives all contacts of an import of %i pages of %i', async (pages, size) => {
      await expect(serveNew(pages, size)).resolves.toHaveLength((pages + 1) * size);
    });

    test('fails aloud when an import is more than it can read', async () => {
      await expect(serveNew(60, 100)).rejects.toThrow('More contacts were added in a day than this trigger can read');
    });

    test('in a test in the editor, reads one page', async () => {
      expectCall('listContacts', { query: { limit: 100 } }).reply(200, {
        data: addedAt(0, 100, now),
        next_cursor: 'p2',
      });
      await expect(run('new_contact', { meta: { isLoadingSample: true } })).resolves.toHaveLength(100);
    });
  });

  describe('contact_opted_out', () => {
    const consent = 'opted_out';
    const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
    const optedOut = (id: string, consent_changed_at: string | null) => ({
      ...contact.sample,
      id,
      consent,
      consent_changed_at,
    });
    const [today, yesterday, lastMonth, unknown] = [
      optedOut('1', ago(0)),
      optedOut('2', ago(1)),
      optedOut('3', ago(31)),
      optedOut('4', null),
    ];

    test('reads every page, because anyone may opt out, and gives those of the last week, the latest first', async () => {
      expectCall('listContacts', { query: { consent, limit: 100 } }).reply(200, {
        data: [yesterday, { ...contact.sample, id: '9' }, lastMonth],
        next_cursor: 'c1',
      });
      expectCall('listContacts', { query: { consent, limit: 100, after: 'c1' } }).reply(200, {
        data: [today, unknown],
      });
      await expect(run('contact_opted_out')).resolves.toEqual([unknown, today, yesterday].map(reachable));
    });

    test('in a test in the editor, also gives those who opted out long ago', async () => {
      expectCall('listContacts').reply(200, { data: [lastMonth, today] });
      await expect(run('contact_opted_out', { meta: { isLoadingSample: true } })).resolves.toEqual(
        [today, lastMonth].map(reachable),
      );
    });

    test('starts again for a person who opts out again', () => {
      const { outputFields = [] } = app.triggers.contact_opted_out?.operation ?? {};
      const primary = outputFields.filter((each) => 'primary' in each).map((each) => 'key' in each && each.key);
      expect(primary).toEqual(['id', 'consent_changed_at']);
    });

    const manyPages = 60;
    const serve = () => {
      const asked: number[] = [];
      const respond = ({ url }: { url: string }) => {
        const page = Number(new URL(url, authData.base_url).searchParams.get('after') ?? 0);
        asked.push(page);
        const at = page === 55 ? ago(1) : ago(30);
        const data = Array.from({ length: 100 }, (_, index) => ({
          ...{ id: `${page}-${index}`, consent, consent_changed_at: at },
        }));
        return new Response(toResponse({ data, next_cursor: page + 1 < manyPages ? String(page + 1) : null }));
      };
      return { asked, respond };
    };

    test('goes on at the next poll where one of 5,000 ended, and then begins again', async () => {
      const { asked, respond } = serve();
      const kept = new Map<unknown, unknown>();
      const cache = {
        get: async (key: unknown) => kept.get(key) ?? null,
        set: async (key: unknown, value: unknown) => Boolean(kept.set(key, value)),
      };
      const poll = () => runAlone('triggers.contact_opted_out.operation.perform', { authData }, { respond, cache });
      await expect(poll()).resolves.toEqual([]);
      await expect(poll()).resolves.toHaveLength(100);
      expect(asked).toEqual(Array.from({ length: manyPages }, (_, page) => page));
      await poll();
      expect(asked.slice(manyPages, manyPages + 1)).toEqual([0]);
    });

    test('says that it would miss someone when it can remember no place to go on', async () => {
      const { asked, respond } = serve();
      const fail = () => Promise.reject(new Error('No cache'));
      const edge = { respond, cache: { get: fail, set: fail } };
      const polled = runAlone('triggers.contact_opted_out.operation.perform', { authData }, edge);
      await expect(polled).rejects.toThrow('More than 5000 contacts have opted out');
      expect(asked).toHaveLength(50);
    });
  });

  test('a test step reads on after an empty page with a cursor', async () => {
    allowWebhooks();
    const query = { direction: 'outbound', status: 'failed', limit: 100 };
    const failed = { ...message.sample, status: 'failed' };
    expectCall('listMessages', { query }).reply(200, { data: [], next_cursor: 'c1' });
    expectCall('listMessages', { query: { ...query, after: 'c1' } }).reply(200, { data: [failed] });
    const listed = runTrigger('message_failed', 'performList');
    await expect(listed).resolves.toEqual([triggered(failed)]);
  });
});
