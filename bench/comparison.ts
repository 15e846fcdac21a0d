import { type App, type Apps, median, runStep } from './apps';
import type { LeastService } from './service';
import { delivery, send } from './steps';

const rounds = 25;
const warmRepeats = 400;

interface Figure {
  what: string;
  unit: string;
  digits: number;
  bound: number;
  measure: (app: App) => Promise<number>;
}

const figures = (service: LeastService): Figure[] => [
  {
    what: 'cold start to the first hook perform done',
    unit: 'ms',
    digits: 1,
    bound: 1.04,
    measure: async (app) => (await runStep(app, delivery())).cold,
  },
  {
    what: 'cold start to the first send_message request sent',
    unit: 'ms',
    digits: 1,
    bound: 1.08,
    measure: async (app) => {
      const { started } = await runStep(app, send(service.url));
      return service.arrival() - started;
    },
  },
  {
    what: 'warm hook perform through the Lambda handler',
    unit: 'ms',
    digits: 3,
    bound: 4,
    measure: async (app) => (await runStep(app, delivery(), warmRepeats)).warm ?? 0,
  },
  {
    what: 'resident memory after the first perform',
    unit: 'MB',
    digits: 1,
    bound: 1.05,
    measure: async (app) => (await runStep(app, delivery())).rss / 2 ** 20,
  },
];

const toRow = ({ what, unit, digits, bound }: Omit<Figure, 'measure'>, ours: number[], least: number[]) => {
  const show = (number: number) => number.toFixed(digits);
  const ratio = median(ours) / median(least);
  return {
    figure: `${what} (${unit})`,
    least: show(median(least)),
    ours: show(median(ours)),
    minimum: show(Math.min(...ours)),
    maximum: show(Math.max(...ours)),
    ratio: `×${ratio.toFixed(3)}`,
    'at most': `×${bound}`,
    within: ratio <= bound ? 'yes' : 'no',
  };
};

/** Both apps in turn, each first as often as the other, so that a machine that gets slower is slower for both. */
const takeTurns = async ({ ours, least }: Apps, { measure }: Figure) => {
  const taken: { ours: number[]; least: number[] } = { ours: [], least: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const who of round % 2 ? (['ours', 'least'] as const) : (['least', 'ours'] as const)) {
      const figure = await measure(who === 'ours' ? ours : least);
      // The first round warms up the disk.
      if (round > 0) taken[who].push(figure);
    }
  }
  return taken;
};

/** Compares this app with the least one on the same core, in this one run. A ratio is one of medians. */
export const compareApps = async (apps: Apps, service: LeastService) => {
  const rows: ReturnType<typeof toRow>[] = [];
  for (const figure of figures(service)) {
    const { ours, least } = await takeTurns(apps, figure);
    rows.push(toRow(figure, ours, least));
  }
  const zip = { what: 'the real zip', unit: 'KB', digits: 1, bound: 1.08 };
  return [...rows, toRow(zip, [apps.ours.zip / 1024], [apps.least.zip / 1024])];
};
