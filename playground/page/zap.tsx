import { recipes } from '../recipes';
import { eventsOf } from '../zaps/from-recipe';
import type { Run } from '../zaps/run';
import { titleOf } from '../zaps/run-step';
import { maxSteps, type Zap as ZapModel } from '../zaps/zap';
import { EventButton } from './event-button';
import { Guide } from './guide';
import { Problem } from './problem';
import { isWholeRun, Runs } from './runs';
import { StepForm, type StepFormProps } from './step-form';
import { postWithStep, showZap, swapZap } from './swap';

export interface ZapProps extends StepFormProps {
  zaps: readonly ZapModel[];
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
  runs: readonly Run[];
}

const Steps = ({ zap, index }: ZapProps) => (
  <ol class="steps" aria-label="Steps">
    {zap.steps.map((step, at) => (
      <li>
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

/** What the Zap waits for, when it's on. */
const Status = ({ zap }: { zap: ZapModel }) => {
  if (!zap.isOn) return <span class="pill">Off</span>;
  const { id, expiresAt, watches = [] } = zap.subscription ?? {};
  return (
    <>
      <span class="pill on">On</span> {id === undefined && <small>Checks for new records every 2 seconds.</small>}
      {id !== undefined && (
        <small>
          Subscription <code>{id}</code>
          {expiresAt && (
            <>
              {' '}
              until <time datetime={expiresAt}>{expiresAt.slice(0, 10)}</time>
            </>
          )}
          {watches.length > 0 && ` · ${watches.join(' · ')}`}
        </small>
      )}
    </>
  );
};

const Start = ({ zap }: { zap: ZapModel }) => (
  <button type="button" id="start-zap" {...postWithStep(`/zap/${zap.id}/start`)}>
    Run the Zap
  </button>
);

const Switch = ({ zap }: { zap: ZapModel }) => (
  <button
    type="button"
    id="switch"
    class={zap.isOn ? 'secondary outline' : ''}
    {...postWithStep(`/zap/${zap.id}/${zap.isOn ? 'off' : 'on'}`)}
  >
    {zap.isOn ? 'Turn off' : 'Turn on'}
  </button>
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
    <label>
      Recipes
      <select name="recipe" id={`recipe-${zap.id}`} hx-post="/zap/recipe" hx-trigger="change" {...showZap}>
        <option value="">Load a recipe…</option>
        {recipes.map(({ title }, at) => (
          <option value={at}>{title}</option>
        ))}
      </select>
    </label>
    <button type="button" id="new-zap" class="secondary outline" hx-post="/zap/new" {...showZap}>
      New Zap
    </button>
  </div>
);

/** The Zap as its editor shows it, with the open step's form. */
export const Zap = (props: ZapProps) => {
  const { zap, zaps, index, runs, error } = props;
  const event = zap.isOn || zap.steps[0]?.type === 'other' ? eventsOf(zap).at(-1) : undefined;
  return (
    <section id="zap" aria-labelledby="zap-title" tabindex={-1} data-address={`zap=${zap.id}&step=${index}`}>
      <h2 id="zap-title">Zap</h2>
      <p class="intro">What people build in Zapier's editor. Fill in a step, test it, and turn on the Zap.</p>
      <Chooser {...props} />
      {zap === zaps[0] && !runs.some(isWholeRun) && <Guide zap={zap} />}
      <div class="heading">
        <div>
          <h3>{zap.title}</h3>
          {zap.steps[0]?.type !== 'other' && <Status zap={zap} />}
        </div>
        {zap.steps[0]?.type === 'other' ? <Start zap={zap} /> : <Switch zap={zap} />}
      </div>
      <Problem id="shown-zap">{error}</Problem>
      <Problem id="kept-zap">{zap.problem}</Problem>
      {event && <EventButton zap={zap} event={event} />}
      <Runs zap={zap} runs={runs} />
      <Steps {...props} />
      <StepForm {...props} />
    </section>
  );
};
