import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import { Guide, NoGuide } from '../page/canvas/guide';
import { endTour, play, playFailing, repair } from '../service/play-tour';
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

const renderGuide = (parts: Parts) => {
  const tour = parts.tourState.phase === 'over' ? undefined : readTour(parts);
  return tour ? <Guide tour={tour} /> : <NoGuide />;
};

/** Whether a person does something else than what the tour offers: edits, tests, writes as a customer, or opens another Zap. */
const isTouch = ({ zaps }: Parts, c: Context): boolean => {
  const [, place = '', id = '', ...rest] = c.req.path.split('/');
  if (c.req.method === 'POST') return ['zap', 'phones', 'simulate'].includes(place) && id !== 'settled';
  return place === 'zap' && id !== '' && rest.length === 0 && id !== zaps.list()[0]?.id;
};

/** Ends the tour when a person touches anything else. */
export const endTourByTouch =
  (parts: Parts): MiddlewareHandler =>
  async (c, next) => {
    if (isTouch(parts, c)) await endTour(parts);
    return next();
  };

/** The calls of the tour. */
export const tourRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', (c) => c.html(renderGuide(parts)))
    .get('/zap', async (c) => {
      const [zap] = parts.zaps.list();
      if (!zap) throw new Refused('There is no Zap yet. Click New Zap.');
      if (parts.tourState.phase === 'over') parts.tourState.change({ phase: 'new' });
      return c.html(await openZap(parts, zap, Math.min(1, zap.steps.length - 1), { isFirst: true }));
    })
    .post('/play', async (c) => c.html(await ask(parts, play)))
    .post('/break', async (c) => c.html(await ask(parts, playFailing)))
    .post('/repair', async (c) => {
      await repair(parts);
      return c.html(renderGuide(parts));
    })
    .post('/end', async (c) => {
      await endTour(parts);
      return c.html(<NoGuide />);
    });
