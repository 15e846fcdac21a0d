import { type App, type Apps, median, runStep } from './apps';
import type { LeastService } from './service';
import { delivery, send } from './steps';

const rounds = 15;
const warmRepeats = 400;

type Figures = Record<'hook' | 'send' | 'warm' | 'memory', number>;

const measure = async (app: App, service: LeastService): Promise<Figures> => {
  const hook = await runStep(app, delivery());
  const { started } = await runStep(app, send(service.url));
  const { warm } = await runStep(app, delivery(), warmRepeats);
  return { hook: hook.cold, send: service.arrival() - started, warm: warm ?? 0, memory: hook.rss / 2 ** 20 };
};

/** Both apps in turn, in fresh processes, each first as often as the other. */
const takeTurns = async ({ ours, least }: Apps, service: LeastService) => {
  const taken: { ours: Figures; least: Figures }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = await measure(round % 2 ? ours : least, service);
    const second = await measure(round % 2 ? least : ours, service);
    // The first round warms up the disk.
    if (round > 0) taken.push(round % 2 ? { ours: first, least: second } : { ours: second, least: first });
  }
  return taken;
};

const figures = [
  { of: 'hook', what: 'cold start to the first hook perform done', unit: 'ms', digits: 1, bound: 1.04 },
  { of: 'send', what: 'cold start to the first send_message request sent', unit: 'ms', digits: 1, bound: 1.08 },
  { of: 'warm', what: 'warm hook perform through the Lambda handler', unit: 'ms', digits: 3, bound: 4 },
  { of: 'memory', what: 'resident memory after the first perform', unit: 'MB', digits: 1, bound: 1.05 },
] as const;

const toRow = (
  what: string,
  unit: string,
  numbers: { least: string; ours: string; minimum: string; maximum: string },
  ratio: number,
  bound: number,
) => ({
  figure: `${what} (${unit})`,
  ...numbers,
  ratio: `×${ratio.toFixed(3)}`,
  'at most': `×${bound}`,
  within: ratio <= bound ? 'yes' : 'no',
});

/**
 * Compares this app with the least one on the same core, in this one run. A ratio is the median of the ratios of each
 * round, whose two runs are seconds apart, so that a machine that gets slower meanwhile does not count.
 */
export const compareApps = async (apps: Apps, service: LeastService) => {
  const taken = await takeTurns(apps, service);
  const rows = figures.map(({ of, what, unit, digits, bound }) => {
    const mine = taken.map(({ ours }) => ours[of]);
    const show = (number: number) => number.toFixed(digits);
    const numbers = {
      least: show(median(taken.map(({ least }) => least[of]))),
      ours: show(median(mine)),
      minimum: show(Math.min(...mine)),
      maximum: show(Math.max(...mine)),
    };
    return toRow(what, unit, numbers, median(taken.map(({ ours, least }) => ours[of] / least[of])), bound);
  });
  const kilobytes = ({ zip }: App) => (zip / 1024).toFixed(1);
  const [ours, least] = [kilobytes(apps.ours), kilobytes(apps.least)];
  const zip = { least, ours, minimum: ours, maximum: ours };
  return [...rows, toRow('the real zip', 'KB', zip, apps.ours.zip / apps.least.zip, 1.08)];
};
