import { recipes } from '../recipes';
import type { Run } from '../zaps/run';
import { titleOf } from '../zaps/run-step';
import { maxSteps, type Zap as ZapModel } from '../zaps/zap';
import { Guide } from './guide';
import { Problem } from './problem';
import { isWholeRun } from './runs';
import { StepForm, type StepFormProps } from './step-form';
import { oneClick, postWithStep, showZap, swapZap } from './swap';
import { ZapStatus } from './zap-status';

interface ZapProps extends StepFormProps {
  zaps: readonly ZapModel[];
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
  runs: readonly Run[];
}

const Steps = ({ zap, index }: ZapProps) => (
  <ol class="steps" aria-label="Steps">
    {zap.steps.map((step, at) => (
      <li>
        {at > 0 && zap.steps.length < maxSteps && (
          <button
            type="button"
            id={`insert-step-${at}`}
            class="secondary outline small insert"
            aria-label={`Insert a step before step ${at + 1}`}
            {...postWithStep(`/zap/${zap.id}/add?before=${at}`)}
          >
            +
          </button>
        )}
        <button
          type="button"
          id={`step-${at}`}
          class="row"
          aria-current={at === index ? 'step' : 'false'}
          hx-get={`/zap/${zap.id}?step=${at}`}
          {...swapZap}
        >
          {at + 1}. {titleOf(step)}
        </button>
      </li>
    ))}
    {zap.steps.length < maxSteps && (
      <li>
        <button type="button" id="add-step" class="secondary outline small" {...postWithStep(`/zap/${zap.id}/add`)}>
          Add a step
        </button>
      </li>
    )}
  </ol>
);

const Chooser = ({ zap, zaps }: ZapProps) => (
  <div class="chooser">
    <label>
      Your Zaps
      <select name="zap" id="choose-zap" hx-get="/zap" hx-trigger="change" {...showZap}>
        {zaps.map(({ id, title, isOn }) => (
          <option value={id} selected={id === zap.id}>
            {title}
            {isOn ? ' (on)' : ''}
          </option>
        ))}
      </select>
    </label>
    <form hx-post="/zap/recipe" {...oneClick.form} {...showZap}>
      <label>
        Recipes
        <select name="recipe" id="recipe" required>
          <option value="">Choose a recipe…</option>
          {recipes.map(({ title }, at) => (
            <option value={at}>{title}</option>
          ))}
        </select>
      </label>
      <button type="submit" id="load-recipe" class="secondary outline">
        Load
      </button>
    </form>
    <button type="button" id="new-zap" class="secondary outline" hx-post="/zap/new" {...oneClick.button} {...showZap}>
      New Zap
    </button>
  </div>
);

/** The Zap as its editor shows it, with the open step's form. */
export const Zap = (props: ZapProps) => {
  const { zap, zaps, index, runs, error } = props;
  return (
    <section id="zap" aria-labelledby="zap-title" tabindex={-1} data-address={`zap=${zap.id}&step=${index}`}>
      <h2 id="zap-title">Zap</h2>
      <p class="intro">What people build in Zapier's editor. Fill in a step, test it, and turn on the Zap.</p>
      <Chooser {...props} />
      {zap === zaps[0] && !runs.some(isWholeRun) && <Guide zap={zap} />}
      <Problem id="shown-zap">{error}</Problem>
      <ZapStatus zap={zap} runs={runs} />
      <Steps {...props} />
      <StepForm {...props} />
    </section>
  );
};
