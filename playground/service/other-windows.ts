import * as z from 'zod/mini';
import { hasRecord } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { maxShown, otherTrigger, readSheet, type Sheet, type WindowSources } from './other-records';

/** What a step wrote into another app. */
export interface Arrival {
  id: string;
  at: string;
  /** By the names that the person chose. */
  fields: Record<string, string>;
}

const fieldsOf = z.catch(z.record(z.string(), z.string()), {});

/** What the steps of a Zap wrote into an app, newest first. */
const readArrivals = ({ runs }: WindowSources, zap: Zap, app: string): Arrival[] => {
  const ids = zap.steps.slice(1).flatMap((step) => (hasRecord(step) && step.app === app ? step.id : []));
  const arrivals: Arrival[] = [];
  for (const run of runs.list()) {
    if (run.zapId !== zap.id) continue;
    for (const [at, { status, input }] of run.steps.entries()) {
      const step = run.alone?.step ?? run.stepIds?.[at];
      if (status === 'success' && step && ids.includes(step)) {
        arrivals.push({ id: `${run.id}-${at}`, at: run.startedAt, fields: fieldsOf.parse(input ?? {}) });
      }
    }
    if (arrivals.length >= maxShown) break;
  }
  return arrivals;
};

/** The window of another app. */
export interface OtherWindow {
  app: string;
  /** Of the app that starts the Zap. */
  sheet: Sheet | undefined;
  /** What the Zap wrote. Undefined when none of its steps writes there. */
  arrivals: Arrival[] | undefined;
}

/** The window of every other app of a Zap, in the order of its steps. */
export const readWindows = (sources: WindowSources, zap: Zap): OtherWindow[] => {
  const apps = new Set(zap.steps.flatMap((step) => (hasRecord(step) ? step.app : [])));
  const starting = otherTrigger(zap)?.app;
  return [...apps].map((app) => ({
    app,
    sheet: app === starting ? readSheet(sources, zap) : undefined,
    arrivals: zap.steps.slice(1).some((step) => hasRecord(step) && step.app === app)
      ? readArrivals(sources, zap, app)
      : undefined,
  }));
};
