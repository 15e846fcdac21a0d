import { brand } from '../../src/brand';
import { tools } from '../../zapier/kinds';
import { maxSteps, type Zap } from '../../zapier/zap/zap';
import { anotherApp } from './operation-select';
import { postWithStep } from './swap';

/** What a step can be, by what the address calls it. */
const additions = [['app', `Action of ${brand.name}`], ['other', anotherApp], ...tools];

interface AddStepProps {
  zap: Zap;
  /** The position that the new step gets. */
  at: number;
  /** Where the menu is. The form of the last step has one more. */
  from?: 'list' | 'form';
}

/** A menu of the steps that can be added at a position, unless the Zap has as many as it can. */
export const AddStep = ({ zap, at, from = 'list' }: AddStepProps) => {
  if (zap.steps.length >= maxSteps) return null;
  const isLast = at === zap.steps.length;
  const place = from === 'list' ? `${at}` : from;
  return (
    <details id={`add-at-${place}`} class="add" name="add-step">
      <summary
        id={isLast ? `add-step${from === 'list' ? '' : `-${from}`}` : `insert-step-${at}`}
        class="add-title"
        {...(!isLast && { 'aria-label': `Insert a step before step ${at + 1}` })}
      >
        {isLast ? '+ Add a step' : '+'}
      </summary>
      <ul aria-label="What to add">
        {additions.map(([operation, title]) => (
          <li>
            <button
              type="button"
              id={`add-${operation}-${place}`}
              class="row"
              data-closes
              {...postWithStep(`/zap/${zap.id}/add?before=${at}&operation=${operation}`)}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
};
