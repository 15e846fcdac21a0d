import { formatHours } from '../../zapier/definition';
import type { DelayStep } from '../../zapier/zap';
import { reloadOnChange } from './swap';

const delays = [1, 2, 4, 8, 24, 48, 72, 168];

/** How long a run waits at this step. */
export const DelayForm = ({ step, address }: { step: DelayStep; address: string }) => (
  <>
    <label>
      Delay for
      <select name="hours" id="hours" {...reloadOnChange(address)}>
        {[...new Set([...delays, step.hours])].map((hours) => (
          <option value={hours} selected={hours === step.hours}>
            {formatHours(hours)}
          </option>
        ))}
      </select>
    </label>
    <p>
      A run waits here. If you don't want to wait, move the clock forward under{' '}
      <strong>Simulate failures and time</strong>.
    </p>
  </>
);
