import { Hono } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import { Guide } from '../page/guide';
import { play, playFailing, repair } from '../service/play-tour';
import { Refused } from '../service/refused';
import { readTour } from '../service/tour';
import { openZap } from './open-zap';
import type { Env, Parts } from './parts';
import { renderPhone } from './phones';

/** Lets a customer ask, and shows the chat. */
const ask = async (parts: Parts, work: typeof play) => {
  const chat = await work(parts).catch((error: unknown) => {
    throw new Refused(sentenceOf(error));
  });
  return renderPhone(parts, { chat, chats: 30, messages: 30 });
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
      return c.html(await openZap(parts, tour.zap, 0, { tour, isFirst: true }));
    })
    .post('/play', async (c) => c.html(await ask(parts, play)))
    .post('/break', async (c) => c.html(await ask(parts, playFailing)))
    .post('/repair', async (c) => {
      await repair(parts);
      const tour = readTour(parts);
      return tour ? c.html(<Guide tour={tour} />) : c.body(null, 204);
    });
