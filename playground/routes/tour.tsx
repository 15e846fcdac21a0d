import { Hono } from 'hono';
import { sentenceOf } from '../../zapier/failure';
import { Guide } from '../page/guide';
import { Refused } from '../service/refused';
import { faultChoices } from '../service/simulation';
import { breakingFault, play, readTour } from '../service/tour';
import type { Env, Parts } from './parts';
import { renderPhones } from './phones';
import { openZap } from './zap';

const failures = 20;

const playAndShow = async (parts: Parts) => {
  const chat = await play(parts).catch((error: unknown) => {
    throw new Refused(sentenceOf(error));
  });
  return renderPhones(parts, { chat, chats: 30, messages: 30 });
};

/** The calls of the tour. */
export const tourRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', (c) => {
      const tour = readTour(parts);
      return tour ? c.html(<Guide tour={tour} />) : c.body(null, 204);
    })
    .get('/zap', async (c) => {
      const tour = readTour(parts);
      if (!tour) throw new Refused('There is no Zap yet. Click New Zap.');
      return c.html(await openZap(parts, tour.zap, 0, { tour }));
    })
    .post('/play', async (c) => c.html(await playAndShow(parts)))
    .post('/break', async (c) => {
      const fault = faultChoices.find(({ name }) => name === breakingFault);
      if (fault) await parts.simulation.addFault(fault, failures, parts.zaps);
      parts.live.changed('simulation');
      return c.html(await playAndShow(parts));
    });
