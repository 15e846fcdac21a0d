import { kindOf, type Step } from '../../../zapier/kinds';
import { operationOf } from '../../../zapier/zap/steps';
import { otherAppsAt } from '../../service/other-apps';
import { definition } from '../../service/zapier';
import { Problem } from '../elements/problem';
import { oneClick, swapZap } from '../elements/swap';
import { OperationSelect } from './operation-select';

interface SetupFormProps {
  step: Step;
  index: number;
  address: string;
  problem: string | undefined;
}

/** Whether a step is of this app and has this event. */
const isOf = (step: Step, app: string, event: string): boolean => {
  const named = kindOf(step).named(step, definition);
  return named.app === app && named.event === event;
};

const Examples = ({ step, index, address }: SetupFormProps) => (
  <section class="examples" aria-labelledby="examples-title">
    <p id="examples-title">Another app, with example data:</p>
    <ul>
      {otherAppsAt(index).map(({ app, event }, at) => (
        <li>
          <button
            type="button"
            id={`example-${at}`}
            class="outline small"
            aria-pressed={isOf(step, app, event) ? 'true' : 'false'}
            hx-post={address}
            hx-vals={JSON.stringify({ action: 'reload', example: at, to: 'configure' })}
            {...oneClick.button}
            {...swapZap}
          >
            {app}: {event}
          </button>
        </li>
      ))}
    </ul>
  </section>
);

/**
 * Chooses what a step does. Other apps have ready examples with data. Most Zaps start with
 * another app, so these come first for a trigger.
 */
export const SetupForm = (props: SetupFormProps) => {
  const { step, index, address, problem } = props;
  const description = definition.find(operationOf(step))?.description;
  return (
    <>
      {index === 0 && <Examples {...props} />}
      <OperationSelect step={step} index={index} address={address} problem={problem} />
      {description && <p class="description">{description}</p>}
      <Problem id="operation">{problem}</Problem>
      {index > 0 && <Examples {...props} />}
    </>
  );
};
