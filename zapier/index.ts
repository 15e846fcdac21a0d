import { createRunStep } from './core';
import { Definition } from './definition';
import { startZapier, type Zapier } from './live-zaps';
import { startZaps, type ZapsSettings } from './start-zaps';

export type { RunStep, StepBundle } from './core';
export type { Zap, Zapier } from './live-zaps';

/** A stand-in for Zapier that runs the steps of an app on Zapier's core. Throws when an operation has no key or no label. */
export const createZapier = (app: object) => {
  const definition = new Definition(app);
  const runStep = createRunStep(definition);
  return {
    definition,
    runStep,
    startZapier: (authData: Record<string, string>): Promise<Zapier> => startZapier(runStep, authData),
    startZaps: (settings: ZapsSettings) => startZaps({ ...settings, definition, runStep }),
  };
};
