import type { Entered } from '../../zapier/merge';
import { findShownProblems, keptProblems, type Problems } from '../../zapier/problems';
import type { Run } from '../../zapier/run';
import { maxSteps, type Zap as ZapModel } from '../../zapier/zap';
import type { Tour } from '../service/tour';
import { definition } from '../service/zapier';
import { Gallery } from './gallery';
import { Guide } from './guide';
import { Problem } from './problem';
import { StepForm } from './step-form';
import { oneClick, postWithStep, showZap, swapZap } from './swap';
import { DeletedZaps, JustDeleted, StartOver, type Steppable } from './versions';
import { ZapStatus } from './zap-status';

/** What to tell the person beside the Zap itself. */
export interface Shown {
  problems?: Problems | undefined;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
  /** What the form has for fields that another tab changed too. */
  conflicts?: Entered | undefined;
  /** The Zap that was just deleted. */
  deleted?: ZapModel | undefined;
  /** The run of the open step alone. */
  run?: Run | undefined;
  /** What a newcomer has done. */
  tour?: Tour | undefined;
}

interface ZapProps extends Shown {
  zap: ZapModel;
  zaps: readonly ZapModel[];
  /** What the fields of the open step that map data would have, by key. */
  previews: Record<string, string>;
  deletedZaps: readonly ZapModel[];
  versions: Steppable;
  /** The position of the open step. */
  index: number;
  runs: readonly Run[];
}

/** Sentences at the fields of the open step: what shows at once, what its last test said, and what keeps it from running. */
const findProblems = ({ zap, index, problems }: ZapProps): Problems => {
  const step = zap.steps[index];
  if (!step) return {};
  const shown = findShownProblems(definition, step, zap.steps.slice(0, index));
  return { ...shown, ...keptProblems(step), ...problems };
};

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
          {at + 1}. {definition.titleOf(step)}
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

const Chooser = ({ zap, zaps, deletedZaps }: ZapProps) => (
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
    <button type="button" id="new-zap" class="secondary outline" hx-post="/zap/new" {...oneClick.button} {...showZap}>
      New Zap
    </button>
    <DeletedZaps zaps={deletedZaps} />
    <StartOver />
    <Gallery />
  </div>
);

/** The Zap as its editor shows it, with the open step's form. */
export const Zap = (props: ZapProps) => {
  const { zap, index, runs, error, versions, deleted, tour } = props;
  return (
    <section id="zap" aria-labelledby="zap-title" tabindex={-1} data-address={`zap=${zap.id}&step=${index}`}>
      <h2 id="zap-title">Zap</h2>
      <p class="intro">What people build in Zapier's editor. Fill in a step, test it, and turn on the Zap.</p>
      <Chooser {...props} />
      {tour && <Guide tour={tour} />}
      {deleted && <JustDeleted zap={deleted} />}
      <Problem id="shown-zap">{error}</Problem>
      <ZapStatus zap={zap} runs={runs} versions={versions} />
      <Steps {...props} />
      <StepForm
        zap={zap}
        index={index}
        problems={findProblems(props)}
        conflicts={props.conflicts}
        previews={props.previews}
        run={props.run}
      />
    </section>
  );
};
