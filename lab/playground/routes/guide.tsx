import { Hono } from 'hono';
import { brand } from '../../../src/brand';
import { recipes } from '../../recipes';
import { formatGuide } from '../../zapier/editor/guide';
import { GuideText } from '../page/bar/guide-text';
import { Refused } from '../service/refused';
import { definition } from '../service/zapier';
import type { Env, Parts } from './parts';

/** The call that shows a Zap as a guide for the real editor. */
export const guideRoutes = ({ zaps, editor }: Parts): Hono<Env> =>
  new Hono<Env>().get('/:id', async (c) => {
    const zap = zaps.find(c.req.param('id'));
    if (!zap || zap.isDeleted) throw new Refused('This Zap no longer exists. Reload the page.');
    // A step that nobody opened has no form yet.
    for (const index of zap.steps.keys()) await editor.open(zap, index);
    const watchOut = recipes.find(({ title }) => title === zap.madeFrom)?.watchOut;
    const text = formatGuide(definition, brand.name, zap) + (watchOut ? `\n**Watch out:** ${watchOut}\n` : '');
    return c.html(<GuideText text={text} />);
  });
