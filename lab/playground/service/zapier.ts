// The app loads it on first use. Here that would hold up the page during somebody's first run.
import '../../../src/message/phone-reading';
import app from '../../../src';
import { createZapier } from '../../zapier';

export type { LiveTrigger, RunStep, Zapier } from '../../zapier';

/** The stand-in for Zapier, with this app. */
export const { definition, runStep, startZapier } = createZapier(app);
