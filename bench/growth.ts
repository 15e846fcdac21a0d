import { type Apps, runStep } from './apps';
import type { LeastService } from './service';
import { delivery, dropdown, history, send } from './steps';

/** Runs of one process; core ends one after 250 when it has grown large. */
const repeats = 100;

/** Processes for each size. */
const rounds = 5;

interface Growth {
  what: string;
  sizes: number[];
  /** The step for that size, and the app that it runs in when the size is the app's own. */
  step: (size: number) => object;
  app?: (size: number) => Apps['ours'];
  why: string;
}

const growths = ({ grow }: Apps, { url, hold }: LeastService, operations: number): Growth[] => [
  {
    what: 'operations in the definition',
    sizes: [1, 2, 4].map((times) => times * operations),
    step: () => delivery(),
    app: (size) => grow(size / operations),
    why: 'Core copies and freezes the steps twice a run, and takes their fields, labels and samples as they are.',
  },
  {
    what: 'KB of a delivery',
    sizes: [1, 10, 100, 1000],
    step: (kilobytes) => delivery(kilobytes * 1024),
    why: 'The body is signed once, parsed once, and its record passed on as it is. Core writes the bundle to its log.',
  },
  {
    what: 'variables of a template',
    sizes: [0, 10, 50, 100],
    step: (count) => send(url, count),
    why: 'Each variable is read once; what the form learnt travels along, so none costs a request.',
  },
  {
    what: 'messages of a history',
    sizes: [10, 50, 100, 500],
    step: (count) => {
      hold(count);
      return history(url, count);
    },
    why: 'A hundred messages a request, two requests before them, and one line of transcript for each.',
  },
  {
    what: 'rows behind a dropdown',
    sizes: [20, 100, 1000, 10_000],
    step: (count) => {
      hold(count);
      return dropdown(url);
    },
    why: 'One page at a time: what is behind it is not asked for.',
  },
];

/** The quickest process of each size. All sizes take turns, since the machine has slow seconds that would count as growth. */
const measure = async (apps: Apps, { sizes, step, app }: Growth): Promise<number[]> => {
  const runs = sizes.map((size) => ({ size, app: app?.(size) ?? apps.ours, times: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { size, app, times } of runs) times.push((await runStep(app, step(size), repeats)).warm ?? 0);
  }
  return runs.map(({ times }) => Math.min(...times));
};

/** What each further one costs between two sizes that follow each other, in microseconds. */
const slopes = (sizes: number[], times: number[]): string[] =>
  sizes.slice(1).map((size, index) => {
    const more = (times[index + 1] ?? 0) - (times[index] ?? 0);
    return ((more / (size - (sizes[index] ?? 0))) * 1000).toFixed(2);
  });

/**
 * How the time of a warm run through the real zip grows with what it has to do, in milliseconds for each size. It is
 * linear or better where one more costs no more at the end than at the beginning; below zero is noise.
 */
export const measureGrowth = async (apps: Apps, service: LeastService, operations: number) => {
  const rows: Record<string, string>[] = [];
  for (const growth of growths(apps, service, operations)) {
    const times = await measure(apps, growth);
    rows.push({
      what: growth.what,
      sizes: growth.sizes.join(' · '),
      'ms a run': times.map((time) => time.toFixed(2)).join(' · '),
      'µs for one more': slopes(growth.sizes, times).join(' · '),
      why: growth.why,
    });
  }
  return rows;
};
