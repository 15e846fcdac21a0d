import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { html } from 'hono/html';
import { Activity } from '../page/activity/activity';
import { Gallery } from '../page/bar/gallery';
import { StartOver } from '../page/bar/start-over';
import { Layout, tabs } from '../page/layout';
import { FormVersion } from '../page/panel/form-version';
import { toStage } from '../page/panel/stages';
import { PreviewBubble } from '../page/phone/preview-bubble';
import { ZapPlaces } from '../page/zap';
import { wantedZap } from '../service/new-zaps';
import { Refused, StepChanged } from '../service/refused';
import { listStories } from '../service/stories';
import { findTour } from '../service/tour';
import { prepareScript, serveAsset } from './assets';
import { readWholeNumber, requireForm } from './form';
import { protect, requireOwnPage } from './guard';
import { guideRoutes } from './guide';
import { messageRoutes } from './message';
import { findWholeRun, readOpened, requireShownZap } from './open-zap';
import type { Env, Parts } from './parts';
import { firstPhone, phonesRoutes, readPhoneView, renderPhone } from './phones';
import { renderSimulate, simulateRoutes } from './simulate';
import { endTourByTouch, tourRoutes } from './tour';
import { windowsRoutes } from './windows';
import { zapRoutes } from './zap';
import { zapierRoutes } from './zapier';

const maxBodyBytes = 1024 * 1024;

const renderPage = async (parts: Parts, c: Context) => {
  const zap = wantedZap(parts.zaps, c.req.query('zap'));
  const isFirst = c.req.query('zap') === undefined;
  // The tour shows the step that sends, with its message on the phone.
  const begins = findTour(parts, zap, isFirst) ? Math.min(1, zap.steps.length - 1) : 0;
  const index = readWholeNumber(c.req.query('step'), zap.steps.length - 1) ?? begins;
  const [simulation, opened] = await Promise.all([
    renderSimulate(parts),
    readOpened(parts, zap, index, {
      stage: toStage(c.req.query('stage')),
      run: findWholeRun(parts, zap, c.req.query('run')),
      isFirst,
    }),
  ]);
  const preview = <PreviewBubble message={opened.message} zap={zap} index={index} />;
  return (
    <Layout
      tab={tabs.find((tab) => tab === c.req.query('tab')) ?? 'zap'}
      zap={<ZapPlaces {...opened} />}
      simulate={simulation}
      phone={
        await renderPhone(parts, firstPhone(parts, readPhoneView(c), opened.isFirst ? undefined : opened.message), {
          preview,
        })
      }
      story={<Activity {...opened} />}
    />
  );
};

/** Responds with a sentence, which the page shows without losing what a person typed. */
const showFailure = (c: Context, sentence: string, status: 400 | 413 | 422 | 500): Response | Promise<Response> =>
  c.html(html`${sentence}`, status, { 'HX-Retarget': '#failure', 'HX-Reswap': 'textContent' });

/** Asks what to keep of a step, and leaves its form as it is. */
const showChanged = (c: Context, { version, other }: StepChanged): Response | Promise<Response> =>
  c.html(<FormVersion version={version} other={other} />, 409, { 'HX-Retarget': '#version', 'HX-Reswap': 'outerHTML' });

/** Creates the HTTP app of the playground. */
export const createRoutes = (parts: Parts): Hono<Env> => {
  const app = new Hono<Env>();
  const onError = (c: Context) => showFailure(c, 'This is more than 1 MB. Shorten it and try again.', 413);
  app.use(requireOwnPage, protect, compress(), bodyLimit({ maxSize: maxBodyBytes, onError }));
  app.get('/', prepareScript, async (c) => c.html(`<!DOCTYPE html>${await renderPage(parts, c)}`));
  app.get('/assets/:name', serveAsset);
  app.get('/live', (c) => parts.live.stream(c));
  app.post('/observer', (c) => parts.observer.receive(c));
  app.route('/zapier', zapierRoutes(parts));
  app.use(requireForm);
  app.use(endTourByTouch(parts));
  app.route('/phones', phonesRoutes(parts));
  app.route('/zap', zapRoutes(parts));
  app.route('/windows', windowsRoutes(parts));
  app.route('/guide', guideRoutes(parts));
  app.route('/message', messageRoutes(parts));
  app.get('/activity/:id', (c) => {
    const zap = requireShownZap(parts, c);
    return c.html(<Activity zap={zap} zaps={parts.zaps.list()} stories={listStories(parts, zap)} />);
  });
  app.route('/tour', tourRoutes(parts));
  app.route('/simulate', simulateRoutes(parts));
  app.get('/recipes', (c) => c.html(<Gallery />));
  app.get('/start-over', (c) => c.html(<StartOver />));
  app.post('/start-over', async (c) => {
    await parts.startOver();
    return c.body(null, 204, { 'HX-Redirect': '/' });
  });
  app.onError((error, c) => {
    if (error instanceof StepChanged) return showChanged(c, error);
    if (error instanceof Refused) return showFailure(c, error.message, error.status);
    // An error in a request that the browser closed is expected.
    if (!c.env?.incoming?.errored) {
      console.error(`The playground failed at ${c.req.method} ${c.req.path}: ${error.message}`);
    }
    return showFailure(c, 'The playground failed. Reload the page.', 500);
  });
  return app;
};
