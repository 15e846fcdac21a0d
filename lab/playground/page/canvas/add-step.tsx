import { brand } from '../../../../src/brand';
import { tools } from '../../../zapier/kinds';
import { maxSteps, type Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { opens, postWithStep } from '../elements/swap';

/** What the lists of steps call a step of another app. */
export const anotherApp = 'Another app (Slack, Gmail, …)';

/** What a step can be, by what the address calls it. */
const additions = [
  ['app', `Action of ${brand.name}`],
  ['other', anotherApp],
  ...tools.map(({ type, title }) => [type, title]),
];

interface AddStepProps {
  zap: Zap;
  /** The position that the new step gets. */
  at: number;
}

/** Opens the steps that can be added at a position. A Zap that has as many as it can keeps only the wire. */
export const AddStep = ({ zap, at }: AddStepProps) => {
  const isLast = at === zap.steps.length;
  if (zap.steps.length >= maxSteps) return isLast ? null : <span class="add full" />;
  return (
    <>
      <Button
        id={isLast ? 'add-step' : `insert-step-${at}`}
        class={isLast ? 'add last' : 'add'}
        {...(!isLast && { 'aria-label': `Insert a step before step ${at + 1}` })}
        {...opens(`add-at-${at}`)}
      >
        <Icon name="plus" />
        {isLast && <span class="for-wide">Add a step</span>}
      </Button>
      <section id={`add-at-${at}`} class="menu" popover="auto" aria-label="What to add">
        {additions.map(([operation, title]) => (
          <Button
            id={`add-${operation}-${at}`}
            class="row"
            data-closes
            data-shows="step"
            {...postWithStep(`/zap/${zap.id}/add?before=${at}&operation=${operation}`)}
          >
            {title}
          </Button>
        ))}
      </section>
    </>
  );
};
