import { findOperation } from './operations';
import { isPaused, type Run, type StepResult } from './run';
import { exampleRecord, refuseBroken, runOwnStep, runStep, type StepContext, titleOf } from './run-step';
import type { Runner, RunnerParts } from './runner';
import type { Step, Zap } from './zap';

type EditorParts = Pick<RunnerParts, 'zaps' | 'notify'> & { runner: Runner };

/** Runs single steps, as the Zap editor does: earlier steps give their examples. */
export class Editor {
  readonly #parts: EditorParts;

  constructor(parts: EditorParts) {
    this.#parts = parts;
  }

  /** What a step of the editor runs with. */
  contextOf(zap: Zap, index: number, isTest = true): StepContext {
    const outputs = zap.steps.slice(0, index).map(exampleRecord);
    return { ...this.#parts.runner.context(outputs), isTest };
  }

  /** Runs one step and keeps what it gives as its example. A test of a trigger reads recent records. */
  async run(zap: Zap, index: number, isTest: boolean): Promise<Run | undefined> {
    const { zaps, runner, notify } = this.#parts;
    const step = zap.steps[index];
    if (!step) return undefined;
    const title = `${titleOf(step)} (${isTest ? 'test' : 'one step'})`;
    const type = isTest ? 'test' : 'run';
    const run: Run = zaps.addRun({ zapId: zap.id, title, type, status: 'running', steps: [] });
    const context = { ...this.contextOf(zap, index, isTest), callbackUrl: runner.callbackUrl(run, 0) };
    const result = await runAlone(step, context);
    run.steps = [result];
    run.status = result.status;
    const place = { steps: [step], index: 0, outputs: [...context.outputs] };
    if (!isTest && isPaused(result)) runner.paused.pause(run, place, result);
    zaps.saveRun(run);
    if (step.type === 'own' && result.output !== undefined) step.example = result.output;
    zaps.save(zap);
    notify(step.type === 'own' ? result : undefined);
    return run;
  }
}

const runAlone = async (step: Step, context: StepContext): Promise<StepResult> => {
  if (step.type !== 'own') return runStep(step, context);
  const broken = refuseBroken(step, context);
  if (broken) return broken;
  const part = findOperation(step.place)?.isHook ? 'performList' : 'perform';
  return (await runOwnStep(step, context, part)).result;
};
