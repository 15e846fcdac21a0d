import * as z from 'zod/mini';
import { errorOf, Running } from '../../support/running';

// The allowance refills so slowly that a busy machine changes nothing.
const speed = 0.1;
const service = new Running({ rateLimit: 3, speed });

const clock = z.object({ now: z.string() });

// More than it takes until an allowance is whole again.
beforeEach(() => service.advance(86_400));

const growth = () => ({ authorization: `Bearer ${service.sandbox.tokens.growth}` });

test('refuses a token over its limit until Retry-After has passed', async () => {
  const first = await Promise.all([1, 2, 3].map(() => service.request('getWorkspace')));
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);

  const refused = await service.request('getWorkspace');
  expect(refused.status).toBe(429);
  expect(errorOf(refused).code).toBe('rate_limited');
  const pause = Number(refused.headers.get('retry-after'));
  expect(pause).toBeGreaterThan(60);
  expect(pause).toBeLessThanOrEqual(20 / speed);

  expect(await service.request('getWorkspace', {}, growth())).toMatchObject({ status: 200 });

  await service.advance(pause * speed);
  expect(await service.request('getWorkspace')).toMatchObject({ status: 200 });
  expect(await service.request('getWorkspace')).toMatchObject({ status: 429 });
});

test('a token keeps its allowance when the clock goes back to the time of this machine', async () => {
  await service.request('getWorkspace');
  const { now } = clock.parse((await service.control('DELETE', '/clock')).body);
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
  expect(await service.request('getWorkspace')).toMatchObject({ status: 200 });
});
