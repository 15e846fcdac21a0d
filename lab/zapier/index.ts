import { Definition } from './core/definition';
import { createRunStep } from './core/handler';
import { startZapier, type ZapierSettings } from './start-zapier';

export type { RunStep } from './core/handler';
export type { LiveTrigger } from './starts/live-trigger';

/** A stand-in for Zapier that is started, with the Zaps of an account. */
export type Zapier = Awaited<ReturnType<typeof startZapier>>;

/** A stand-in for Zapier that runs the steps of an app on Zapier's core. Throws when the app lacks what Zapier requires, such as the label of an operation. */
export const createZapier = (app: object) => {
  const definition = new Definition(app);
  const runStep = createRunStep(definition);
  return {
    definition,
    runStep,
    startZapier: (settings: ZapierSettings): Promise<Zapier> => startZapier(definition, runStep, settings),
  };
};
