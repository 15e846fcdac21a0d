import { sentenceOf } from '../core/failure';
import { type ApiRequest, isPaused } from '../core/result';
import { type Form, isFormFor, parseForm } from '../fields/form';
import { type CheckedRule, checkRules } from '../fields/rules';
import type { Entered, Problems } from '../fields/values';
import { type AppStep, kindOf, type Step } from '../kinds';
import type { StepContext } from '../kinds/app-runner';
import { callbackId, type Run } from '../runs/run';
import { runAction } from '../runs/run-action';
import type { Runner, RunnerParts } from '../runs/run-zaps';
import { asApp, examplesOf, hasRecord, hasRules, operationOf, titleOf } from '../zap/steps';
import { fingerprintOf } from '../zap/versions';
import type { Zap } from '../zap/zap';
import { carryOver } from './change-operation';
import { type ChoicePage, findLabels, listChoices } from './dropdown';
import { fillIn, previewOf } from './preview';
import { findStepProblems } from './problems';
import type { Rehearsal, Rehearsals } from './rehearsal';

type EditorParts = Pick<RunnerParts, 'definition' | 'app' | 'clock' | 'zaps' | 'runs' | 'notify'> & {
  runner: Runner;
  rehearsals: Rehearsals;
};

/** What keeps a Zap from running. */
interface ZapProblem {
  /** The position of the step. */
  index: number;
  sentence: string;
  /** Sentences by the key of a field, or of `operation`. */
  problems: Problems;
}

/** The step of a Zap as it is now. Another request may have saved it since. */
const currentStep = (zap: Zap, { id, operation }: AppStep): AppStep | undefined => {
  const step = asApp(zap.steps.find((each) => each.id === id));
  return step?.operation === operation ? step : undefined;
};

/** What came of asking the app for a form. */
interface Asked {
  /** Why there is no form. */
  error?: string;
  isPartial?: boolean;
}

/** Whether the service may respond otherwise when somebody asks again, such as after the account is connected. */
const isUnanswered = ({ status }: ApiRequest): boolean =>
  status === undefined || status === 401 || status === 429 || status >= 500;

const partialForm =
  "Some fields may be missing, because the service didn't respond or the account isn't connected. Your values are kept.";

/** Opens and runs single steps, as the Zap editor does: earlier steps give their examples. */
export class Editor {
  readonly #parts: EditorParts;

  constructor(parts: EditorParts) {
    this.#parts = parts;
  }

  #contextOf(zap: Zap, index: number, isTest = true): StepContext {
    return { outputs: examplesOf(this.#parts.definition, zap.steps.slice(0, index)), isTest };
  }

  /** What the fields of a step that map data would have with the data of the steps before, by field. */
  preview(zap: Zap, index: number, step = zap.steps[index]): Record<string, string> {
    return step ? previewOf(step, this.#contextOf(zap, index).outputs) : {};
  }

  /** What all fields of a step would have with the data of the steps before, by field. The step may not be saved yet. */
  fillIn(zap: Zap, index: number, step: Step): Entered {
    return fillIn(step, this.#contextOf(zap, index).outputs);
  }

  /** The rules of a filter or a path with the data of the steps before. Undefined when they aren't filled in. */
  checkRules(zap: Zap, index: number): CheckedRule[] | undefined {
    const step = zap.steps[index];
    if (!step || !hasRules(step)) return undefined;
    const problems = findStepProblems(this.#parts.definition, step, zap.steps.slice(0, index));
    if (Object.keys(problems).length > 0) return undefined;
    return checkRules(step.rules, this.#contextOf(zap, index).outputs);
  }

  /** Shows a step: its form and the names of what was chosen in it. Returns a sentence when the app can't give all of the form. */
  async open(zap: Zap, index: number): Promise<string | undefined> {
    const error = await this.#ensureForm(zap, index);
    if (!error) await this.#nameChoices(zap, index);
    return error ?? (asApp(zap.steps[index])?.form?.isPartial ? partialForm : undefined);
  }

  /** Asks the app for the form of a step again. Returns a sentence when the app can't give all of it, and keeps the form. */
  async refresh(zap: Zap, index: number): Promise<string | undefined> {
    const { error, isPartial } = await this.#askForm(zap, index);
    return error ?? (isPartial ? partialForm : undefined);
  }

  async #askForm(zap: Zap, index: number): Promise<Asked> {
    const step = asApp(zap.steps[index]);
    if (!step) return {};
    const { definition, app } = this.#parts;
    if (!definition.find(step.operation)) return { error: `The app no longer has the operation ${step.operation}.` };
    try {
      const { given, requests } = await app.readFields(step, this.#contextOf(zap, index));
      const isPartial = requests.some(isUnanswered);
      const current = currentStep(zap, step);
      const isWhole = current?.form && isFormFor(current.values, current.form);
      if (current && !(isPartial && isWhole)) this.#keepForm(zap, current, parseForm(step.values, given, isPartial));
      return { isPartial };
    } catch (error) {
      return { error: sentenceOf(error) };
    }
  }

  /** Keeps the form of a step. A step with a new operation takes over the values of fields that it had before. */
  #keepForm(zap: Zap, step: AppStep, form: Form): void {
    const isNew = step.form === undefined || step.form.isPartial;
    step.form = form;
    if (isNew) {
      const { values, labels } = carryOver(
        step,
        form.fields.map(({ key }) => key),
      );
      Object.assign(step, { values, labels });
    }
    this.#parts.zaps.save(zap);
  }

  async #ensureForm(zap: Zap, index: number): Promise<string | undefined> {
    const step = asApp(zap.steps[index]);
    if (!step || (step.form && isFormFor(step.values, step.form))) return undefined;
    return (await this.#askForm(zap, index)).error;
  }

  async #nameChoices(zap: Zap, index: number): Promise<void> {
    const step = asApp(zap.steps[index]);
    if (!step) return;
    const { definition, app: runner, zaps } = this.#parts;
    const found = await findLabels({ definition, runner, step, context: this.#contextOf(zap, index) });
    // A save meanwhile may have changed what is chosen.
    if (Object.keys(found).length === 0 || zap.steps[index] !== step) return;
    for (const [key, label] of Object.entries(found)) step.labels[key] ??= label;
    zaps.save(zap);
  }

  /**
   * One page of the choices of a dropdown in a step's form, for values that may not be saved yet. Rejects with the error
   * of core, or with a sentence.
   */
  async listChoices(
    zap: Zap,
    index: number,
    key: string,
    values: AppStep['values'],
    from?: string,
  ): Promise<ChoicePage> {
    const { definition, app: runner } = this.#parts;
    const error = await this.#ensureForm(zap, index);
    if (error) throw new Error(error);
    const step = zap.steps[index];
    const field =
      step &&
      kindOf(step)
        .fields(step)
        .find((each) => each.key === key);
    if (field?.options) return { choices: field.options };
    const own = asApp(step);
    if (!own || !field) return { choices: [] };
    const context = this.#contextOf(zap, index);
    return listChoices({ definition, runner, step: { ...own, values }, context }, field, from);
  }

  /**
   * What a step would come to with the data of the steps before, of which nothing stays. Undefined while something is left
   * to fill in. The step may not be saved yet.
   */
  async rehearse(zap: Zap, index: number, step = zap.steps[index], isFresh = false): Promise<Rehearsal | undefined> {
    const { definition, rehearsals } = this.#parts;
    if (!step) return undefined;
    const problems = findStepProblems(definition, step, zap.steps.slice(0, index));
    if (Object.keys(problems).length > 0) return undefined;
    return rehearsals.of(step, this.#contextOf(zap, index).outputs, isFresh);
  }

  /** What the service or the app would refuse of each step that is filled in. */
  async findRefusals(zap: Zap): Promise<Problems[]> {
    return Promise.all(zap.steps.map(async (_, index) => (await this.rehearse(zap, index))?.problems ?? {}));
  }

  /** What keeps a step from running in a live Zap: what is left to fill in, or what a run would refuse. */
  async findLiveProblems(zap: Zap, index: number): Promise<Problems> {
    const problems = await this.findProblems(zap, index);
    if (Object.keys(problems).length > 0) return problems;
    const rehearsal = await this.rehearse(zap, index, zap.steps[index], true);
    return rehearsal?.blocks ? rehearsal.problems : {};
  }

  /** What keeps a step from running, by the key of a field, or of `operation`. */
  async findProblems(zap: Zap, index: number): Promise<Problems> {
    const error = await this.#ensureForm(zap, index);
    if (error) return { operation: error };
    const step = zap.steps[index];
    if (!step) return {};
    return findStepProblems(this.#parts.definition, step, zap.steps.slice(0, index));
  }

  /** The problem of the first step that can't run, if there is one. */
  async findZapProblem(zap: Zap): Promise<ZapProblem | undefined> {
    for (const index of zap.steps.keys()) {
      const problems = await this.findLiveProblems(zap, index);
      const [problem] = Object.values(problems);
      if (problem) return { index, problems, sentence: `Step ${index + 1}: ${problem}` };
    }
    return undefined;
  }

  /** The last records of a trigger of the app, newest first. Rejects with the error of core. */
  async listRecords(zap: Zap): Promise<unknown[]> {
    const { definition, app } = this.#parts;
    const trigger = asApp(zap.steps[0]);
    if (!trigger) return [];
    const method = definition.find(trigger.operation)?.isHook ? 'performList' : 'perform';
    const given = await app.runMethod(trigger, method, this.#contextOf(zap, 0));
    return Array.isArray(given) ? given : [];
  }

  /** Lets the steps of a Zap show this record of its trigger, as after a test that gave it. */
  chooseRecord(zap: Zap, record: unknown): Run | undefined {
    const { definition, zaps, runs, notify } = this.#parts;
    const [trigger, ...rest] = zap.steps;
    if (!trigger) return undefined;
    const example = hasRecord(trigger) ? { json: JSON.stringify(record, null, 2) } : { example: record };
    zaps.change(zap, { steps: [{ ...trigger, ...example }, ...rest] });
    const title = titleOf(definition, trigger);
    const fingerprint = fingerprintOf(zap.steps[0] ?? trigger, zap.steps);
    const run = runs.add({
      zapId: zap.id,
      title: `${title} (test)`,
      type: 'test',
      status: 'success',
      steps: [{ title, status: 'success', input: {}, output: record, requests: [] }],
      alone: { step: trigger.id, fingerprint },
    });
    notify();
    return run;
  }

  /** Runs one step that has no problems, and keeps what it gives as its example. A test of a trigger reads recent records. */
  async run(zap: Zap, index: number, isTest: boolean): Promise<Run | undefined> {
    const { definition, zaps, runs, runner, notify } = this.#parts;
    const step = zap.steps[index];
    if (!step) return undefined;
    const title = `${titleOf(definition, step)} (${isTest ? 'test' : 'one step'})`;
    const type = isTest ? 'test' : 'run';
    const alone = { step: step.id, fingerprint: fingerprintOf(step, zap.steps) };
    const run: Run = runs.add({ zapId: zap.id, title, type, status: 'running', steps: [], alone });
    const context = { ...this.#contextOf(zap, index, isTest), callbackId: callbackId(run, 0) };
    const result = await runAction(this.#parts, step, context);
    run.steps = [result];
    run.status = result.status;
    const progress = { steps: [step], index: 0, outputs: [...context.outputs] };
    if (!isTest && isPaused(result)) runner.paused.pause(run, progress, result);
    runs.save(run);
    const tested = zap.steps.find((each) => each.id === step.id && operationOf(each) === operationOf(step));
    if (tested && kindOf(tested).keepsExample && result.output !== undefined) tested.example = result.output;
    zaps.save(zap);
    notify(result);
    return run;
  }
}
