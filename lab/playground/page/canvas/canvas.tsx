import { recipes } from '../../../recipes';
import type { StepResult } from '../../../zapier/core/result';
import { isCurrent } from '../../../zapier/editor/step-state';
import type { Step } from '../../../zapier/kinds';
import { currentStep, type Run } from '../../../zapier/runs/run';
import { endOfPath, isPath } from '../../../zapier/zap/paths';
import { runningTrigger, type Zap } from '../../../zapier/zap/zap';
import { eventsOf } from '../../service/new-zaps';
import { hasStopped } from '../../service/run-notes';
import { isElsewhere } from '../elements/swap';
import type { Replaceable, ZapView } from '../elements/view';
import { AddStep } from './add-step';
import { Card, cardTitle } from './card';
import { EventButton } from './event-button';
import { findPainted, resultOf, runToShow } from './painted-run';

type StepsProps = Replaceable & Pick<ZapView, 'zap' | 'index' | 'states' | 'runs' | 'chosen'>;

interface ItemProps extends StepsProps {
  at: number;
  painted: Run | undefined;
}

/** Whether the run that the canvas shows went through a step. */
const wasReached = (run: Run | undefined, at: number): boolean => {
  const status = run?.steps[at]?.status;
  return (status !== undefined && status !== 'filtered') || (run !== undefined && currentStep(run) === at);
};

/** What the run that shows at a step did there. A failure is over when the step changed since, and a test has a state of its own. */
const resultAt = ({ zap, at, runs, painted, chosen }: ItemProps, step: Step): StepResult | undefined => {
  if (chosen) return painted && resultOf(painted, at);
  const shown = runToShow(runs, step, at, painted);
  const result = shown && resultOf(shown, at);
  if (!result || (hasStopped(result) && !isCurrent(shown, step, zap.steps))) return undefined;
  return shown.alone && ['success', 'filtered'].includes(result.status) ? undefined : result;
};

const Item = (props: ItemProps) => {
  const { zap, at, index, states, painted, chosen } = props;
  const [step, state] = [zap.steps[at], states[at]];
  if (!step || !state) return null;
  const result = resultAt(props, step);
  return (
    <li class={wasReached(painted, at) ? 'reached' : ''}>
      {at > 0 && !isPath(step) && <AddStep zap={zap} at={at} />}
      <Card zap={zap} step={step} at={at} isOpen={at === index} state={state} result={result} chosen={chosen} />
    </li>
  );
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

/**
 * Which halves of the bar above each path a run went along, from the middle of the fork to the paths that it took.
 * The bar of a path lies half a path to its left and half a path to its right.
 */
export const paintBars = (taken: readonly boolean[]): { left: boolean; right: boolean }[] => {
  const middle = (taken.length - 1) / 2;
  const wentOver = (from: number, to: number) =>
    taken.some((isTaken, path) => isTaken && Math.min(path, middle) <= from && to <= Math.max(path, middle));
  return taken.map((_, path) => ({ left: wentOver(path - 0.5, path), right: wentOver(path, path + 0.5) }));
};

interface ForkProps extends Omit<ItemProps, 'at'> {
  start: number;
  bar: { left: boolean; right: boolean } | undefined;
}

const Fork = ({ start, bar, ...props }: ForkProps) => {
  const { zap } = props;
  const [end, path] = [endOfPath(zap.steps, start), zap.steps[start]];
  const marks = ['path', wasReached(props.painted, start) && 'reached', bar?.left && 'left', bar?.right && 'right'];
  return (
    <li class={marks.filter(Boolean).join(' ')}>
      <ol aria-label={path && cardTitle(path)}>
        {range(start, end).map((at) => (
          <Item at={at} {...props} />
        ))}
        <li class="end">
          <AddStep zap={zap} at={end} />
        </li>
      </ol>
    </li>
  );
};

/** The steps of a Zap as cards with wires between them, which fork where paths begin. */
export const Steps = (props: StepsProps) => {
  const { zap, runs, chosen, isUpdate = false } = props;
  const painted = findPainted(zap, runs, chosen);
  const paths = [...zap.steps.keys()].filter((at) => zap.steps.slice(at, at + 1).some(isPath));
  const taken = paths.map((start) => wasReached(painted, start));
  const bars = paintBars(taken);
  const trunk = range(0, paths[0] ?? zap.steps.length);
  return (
    <ol id="steps" class="steps" aria-label="Steps" data-run={painted?.id} {...(isUpdate && isElsewhere)}>
      {trunk.map((at) => (
        <Item at={at} painted={painted} {...props} />
      ))}
      {paths.length > 0 ? (
        <li class={taken.includes(true) ? 'forks reached' : 'forks'}>
          <AddStep zap={zap} at={trunk.length} />
          <ol>
            {paths.map((start, path) => (
              <Fork start={start} bar={bars[path]} painted={painted} {...props} />
            ))}
          </ol>
        </li>
      ) : (
        <li class="end">
          <AddStep zap={zap} at={zap.steps.length} />
        </li>
      )}
    </ol>
  );
};

/** What can surprise the person who uses the recipe of a Zap that isn't on yet. */
const WatchOut = ({ zap }: { zap: Zap }) => {
  const recipe = zap.isOn ? undefined : recipes.find(({ title }) => title === zap.madeFrom);
  return recipe ? (
    <p class="canvas-note">
      <strong>Watch out:</strong> {recipe.watchOut}
    </p>
  ) : null;
};

/** What started the Zap of a recipe, to simulate it. */
const Event = ({ zap }: { zap: Zap }) => {
  const event = zap.isOn || !runningTrigger(zap) ? eventsOf(zap).at(-1) : undefined;
  return event ? <EventButton zap={zap} event={event} /> : null;
};

/** The Zap as a picture: its steps from the trigger down. */
export const Canvas = (props: StepsProps) => (
  <section id="canvas" class="canvas" aria-label="Steps of the Zap" tabindex={-1}>
    <WatchOut zap={props.zap} />
    <p class="starts">Starts when</p>
    <Steps {...props} />
    <Event zap={props.zap} />
  </section>
);
