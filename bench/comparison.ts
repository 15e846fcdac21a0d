import { type App, type Apps, median, runStep } from './apps';
import type { LeastService } from './service';
import { delivery, send } from './steps';

const warmRepeats = 400;

interface Figure {
  what: string;
  unit: string;
  digits: number;
  bound: number;
  rounds: number;
  measure: (app: App) => Promise<number>;
}

const figures = (service: LeastService): Figure[] => [
  {
    what: 'cold start to the first hook perform done',
    unit: 'ms',
    digits: 1,
    bound: 1.04,
    rounds: 101,
    measure: async (app) => (await runStep(app, delivery())).cold,
  },
  {
    what: 'cold start to the first send_message request sent',
    unit: 'ms',
    digits: 1,
    bound: 1.08,
    rounds: 101,
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
    rounds: 25,
    measure: async (app) => (await runStep(app, delivery(), warmRepeats)).warm ?? 0,
  },
  {
    what: 'resident memory after the first perform',
    unit: 'MB',
    digits: 1,
    bound: 1.05,
    rounds: 25,
    measure: async (app) => (await runStep(app, delivery())).rss / 2 ** 20,
  },
];

/** What was measured of both apps, one after the other in each round. */
interface Taken {
  ours: number[];
  least: number[];
}

/** Of each round, since what slows a machine down for seconds slows both runs of a round. */
const ratiosOf = ({ ours, least }: Taken): number[] =>
  ours.map((figure, round) => figure / (least[round] ?? Number.NaN));

/** The standard error of a median, from how far the single figures lie from it (as if they were normally distributed). */
const errorOf = (figures: number[]): number => {
  const middle = median(figures);
  const deviation = 1.4826 * median(figures.map((figure) => Math.abs(figure - middle)));
  return (Math.sqrt(Math.PI / 2) * deviation) / Math.sqrt(figures.length);
};

const toRow = ({ what, unit, digits, bound }: Omit<Figure, 'measure' | 'rounds'>, taken: Taken) => {
  const show = (number: number) => number.toFixed(digits);
  const ratios = ratiosOf(taken);
  const ratio = median(ratios);
  return {
    figure: `${what} (${unit})`,
    least: show(median(taken.least)),
    ours: show(median(taken.ours)),
    minimum: show(Math.min(...taken.ours)),
    maximum: show(Math.max(...taken.ours)),
    ratio: `×${ratio.toFixed(3)}`,
    'give or take': errorOf(ratios).toFixed(3),
    'at most': `×${bound}`,
    within: ratio <= bound ? 'yes' : 'no',
  };
};

/** Both apps in turn, each first as often as the other. */
const takeTurns = async ({ ours, least }: Apps, { rounds, measure }: Figure): Promise<Taken> => {
  const taken: Taken = { ours: [], least: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const who of round % 2 ? (['ours', 'least'] as const) : (['least', 'ours'] as const)) {
      const figure = await measure(who === 'ours' ? ours : least);
      // The first round warms up the disk.
      if (round > 0) taken[who].push(figure);
    }
  }
  return taken;
};

/** Compares this app with the least one on the same core, in this one run. A ratio is the median of those of the rounds. */
export const compareApps = async (apps: Apps, service: LeastService) => {
  const rows: ReturnType<typeof toRow>[] = [];
  for (const figure of figures(service)) {
    rows.push(toRow(figure, await takeTurns(apps, figure)));
  }
  const zip = { what: 'the real zip', unit: 'KB', digits: 1, bound: 1.08 };
  return [...rows, toRow(zip, { ours: [apps.ours.zip / 1024], least: [apps.least.zip / 1024] })];
};
