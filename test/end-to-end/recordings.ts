import * as z from 'zod/mini';
import { listCauses, listRuns, type Run } from '../runs';
import { createRecords } from '../support/records';
import type { Running } from '../support/running';
import type { LiveTrigger, Zapier } from '../support/zapier';

/** The results of a step against the service: live, and in the test of the Zap editor where that differs. */
export interface Recording {
  place: string;
  live: Record<string, unknown>[];
  tested: Record<string, unknown>[];
  /** What the live result of an instant trigger has to match. */
  like?: object;
}

const several = z.array(z.record(z.string(), z.unknown()));

/** Returns the first record that starts the Zap. A delivery that a filter refuses starts nothing. */
const nextStart = async (zap: LiveTrigger): Promise<Record<string, unknown>> => {
  const [record] = several.parse(await zap.nextRun());
  return record ?? nextStart(zap);
};

/** Whether a run gives what later steps of a Zap get. The first half of a step that waits doesn't. */
const givesResult = ({ place, part }: Run, runs: Run[]): boolean =>
  part === 'performResume' ||
  (part === 'perform' && !runs.some((other) => other.place === place && other.part === 'performResume'));

/**
 * Runs every step that people see on Zapier's core and over real HTTP. Returns the results of each: of an instant trigger
 * those of its cause, of any other step those of its first run.
 */
export const recordEveryStep = async (running: Running, zapier: Zapier): Promise<Recording[]> => {
  const account = { url: running.url, token: running.sandbox.tokens.advanced };
  const recordings: Recording[] = [];
  const runs = listRuns(await createRecords(account));
  for (const run of runs.filter((each) => givesResult(each, runs))) {
    if (recordings.some(({ place }) => place === run.place)) continue;
    const result = await zapier.run(`${run.place}.operation.${run.part}`, run.bundle);
    recordings.push({ place: run.place, live: several.parse([result].flat()), tested: [] });
  }
  for (const [place, { inputData = {}, happen, like }] of listCauses(account)) {
    const zap = await zapier.turnOn(place.replace('triggers.', ''), inputData);
    await happen();
    const live = [await nextStart(zap)];
    const tested = several.parse(await zapier.run(`${place}.operation.performList`, { inputData }));
    await zap.turnOff();
    recordings.push({ place, live, tested, like });
  }
  return recordings;
};
