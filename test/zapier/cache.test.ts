/** The stand-in's `z.cache`, as far as apps can tell. */
import { RpcStore } from '../../zapier/starts/rpc';
import { MemoryStore } from '../../zapier/zap/store';

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

test('a value from before the clock went back is gone', () => {
  const { time, call } = start();
  time.now = 86_400_000;
  call('zcache_set', 'key', 'value', 60, null, true);
  time.now = 0;
  expect(call('zcache_get', 'key')).toBeNull();
});

test('a value without a time stays until it is deleted', () => {
  const { time, call } = start();
  expect(call('zcache_set', 'key', 'value', null, null, null)).toBe(true);
  time.now = 1e12;
  expect(call('zcache_get', 'key')).toBe('value');
  expect([call('zcache_delete', 'key'), call('zcache_get', 'key')]).toEqual([true, null]);
});
