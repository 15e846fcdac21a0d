/** What Zapier's servers do around a step: searches, callbacks, the cache, limits and timers. */
import { globSync, readFileSync } from 'node:fs';
import type { AppStep, Step } from '../kinds';
import { platform } from '../platform';
import { RpcStore } from '../starts/rpc';
import { MemoryStore } from '../zap/store';
import { note, startSmall, step, stopAll } from './small-app';

afterEach(stopAll);

describe('the cache', () => {
  const start = () => {
    const time = { now: 0 };
    const store = new RpcStore(new MemoryStore(), { now: () => time.now, at: () => undefined });
    const call = (method: string, ...params: unknown[]) => store.answer({ id: 1, method, params })?.result;
    return { time, call };
  };

  test('a value is there until its time is over, and may then be set by whoever sets it only if there is none', () => {
    const { time, call } = start();
    const takeFor = (seconds: number, value: string) => call('zcache_set', 'key', value, seconds, null, true);
    expect(takeFor(60, 'first')).toBe(true);
    time.now = 59_999;
    expect([takeFor(60, 'second'), call('zcache_get', 'key')]).toEqual([false, 'first']);
    time.now = 60_000;
    expect(call('zcache_get', 'key')).toBeNull();
    expect([takeFor(60, 'third'), call('zcache_get', 'key')]).toEqual([true, 'third']);
  });
});

describe('the platform', () => {
  const ask = step('creates.ask', 'question');
  const last: Step = { type: 'filter', id: 'last', rules: [{ value: '1', condition: 'Exists', text: '' }] };
  const find = (name: string, search: AppStep['search'] = {}): Step => ({ ...step('searches.find', name), search });

  const start = async (...steps: Step[]) => {
    const zapier = await startSmall();
    const { runner, runs, settled, url } = zapier;
    const zap = zapier.zapOf(...steps);
    /** Runs the Zap to its end. Returns what each step came to. */
    const run = async () => {
      await runner.startWith(zap, 'live', { id: 1 });
      await settled();
      return (runs.list()[0]?.steps ?? []).slice(1).map(({ status, output }) => [status, output]);
    };
    /** Answers the question of the newest run. */
    const callBack = async (query = '') => {
      const address = `${url}/callbacks/${runs.list()[0]?.id}-1${query}`;
      return (await fetch(address, { method: 'POST', body: '{"answer":"yes"}' })).status;
    };
    return { ...zapier, log: zapier.service.log, zap, run, callBack };
  };

  const found = { [platform.searchFound.is]: true };

  test.each([
    [{}, { id: 'a', at: { place: 'place of a' }, ...found }],
    [{ results: 'first' }, { id: 'a', at: { place: 'place of a' }, ...found }],
    [{ results: 'all' }, { id: ['a', 'b'], at: { place: ['place of a', 'place of b'] }, ...found }],
  ] as const)('a search set to %j gives its first result, or all as line items', async (search, output) => {
    const { run, log } = await start(find('a b', search));
    expect(await run()).toEqual([['success', output]]);
    expect(log).toEqual(['finds {"name":"a b"}']);
  });

  test('a filter after a search sees whether it was found, also when later steps get all results', async () => {
    const rule = { value: `{{2.${platform.searchFound.is}}}`, condition: '(Boolean) Is true', text: '' } as const;
    const { run } = await start(find('a b', { results: 'all' }), { ...last, rules: [rule] });
    expect((await run()).map(([status]) => status)).toEqual(['success', 'success']);
  });

  test('a search that finds nothing stops the run, or continues and says so', async () => {
    const { run } = await start(find('a', { whenNone: 'continue' }), find('{{2.nothing}}'), last);
    expect((await run()).map(([status]) => status)).toEqual(['success', 'halted']);
    const { run: runOn } = await start(find('', { whenNone: 'continue' }), last);
    expect(await runOn()).toEqual([
      ['success', { [platform.searchFound.is]: false }],
      ['success', undefined],
    ]);
  });

  test('of two callbacks before their step returned, one is taken when it has', async () => {
    const { run, service, log, callBack } = await start(ask);
    const responded: number[] = [];
    service.during = async () => void responded.push(await callBack(), await callBack());
    expect(await run()).toMatchObject([['success', { id: 1, answer: 'yes' }]]);
    expect([responded, log]).toEqual([
      [200, 410],
      ['ask begins', 'ask ends', 'ask resumes'],
    ]);
  });

  test('a callback whose address is used up goes on with nothing', async () => {
    const { run, log, settled, callBack } = await start(ask, note('after'));
    await run();
    expect([await callBack(), await callBack()]).toEqual([200, 410]);
    await settled();
    expect(log).toEqual(['ask begins', 'ask ends', 'ask resumes', 'note begins', 'note ends']);
  });

  test('a resumed step sees the query of its callback', async () => {
    const { run, settled, runs, callBack } = await start(ask);
    const querystring = { a: '1', b: 'ü & x' };
    await run();
    await callBack(`?${new URLSearchParams(querystring)}`);
    await settled();
    expect(runs.list()[0]?.steps[1]?.output).toMatchObject({ id: 1, answer: 'yes', querystring });
  });

  test('a callback that comes more than 30 days later resumes nothing', async () => {
    const { run, log, callBack, pass } = await start(ask);
    await run();
    await pass(platform.callbackSeconds.is + 1);
    expect([await callBack(), log]).toEqual([410, ['ask begins', 'ask ends']]);
  });

  test.each(['/hooks/none', '/callbacks/none', '/rpc'])(
    '%s takes 10 MB at most, however they are sent',
    async (path) => {
      const { url } = await start(last);
      const piece = new Uint8Array(platform.deliveryBytes.is / 4);
      const body = ReadableStream.from([piece, piece, piece, piece, piece]);
      const init = { method: 'POST', body, duplex: 'half' as const };
      expect((await fetch(url + path, init)).status).toBe(413);
    },
  );

  test.each([
    ['/callbacks/none', '{', 400],
    ['/callbacks/none', '{}', 410],
    ['/rpc', 'junk', 400],
    ['/rpc', '{"id":1,"method":"drop","params":[]}', 400],
    ['/hooks/none', '{}', 410],
    ['/elsewhere', '{}', 404],
  ])('%s responds to %s with %d', async (path, body, status) => {
    const { url } = await start(last);
    expect((await fetch(url + path, { method: 'POST', body })).status).toBe(status);
  });
});

test('only four files have timers, so nothing can start after everything has settled', () => {
  const timers = /\b(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask)\b/;
  const files = globSync('lab/zapier/{*,!(test)/**/*}.ts').filter((path) => timers.test(readFileSync(path, 'utf8')));
  expect(files.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual([
    'lab/zapier/clock.ts',
    'lab/zapier/core/work.ts',
    // The end of a step that takes too long.
    'lab/zapier/kinds/app-runner.ts',
    // The polls, a minute apart.
    'lab/zapier/starts/polling.ts',
  ]);
});

test('a page with much memory goes on after hundreds of runs, unlike a server of Zapier', () => {
  const checkMemory = jest.requireActual<() => void>('zapier-platform-core/src/tools/memory-checker');
  const large = { ...process.memoryUsage(), rss: 2 ** 40 };
  const usage = jest.spyOn(process, 'memoryUsage').mockImplementation(Object.assign(() => large, { rss: () => 0 }));
  const exit = jest.spyOn(process, 'exit').mockImplementation();
  for (let run = 0; run < 260; run += 1) checkMemory();
  expect([usage.mock.calls.length, exit.mock.calls]).toEqual([260, []]);
  usage.mockRestore();
  exit.mockRestore();
});
