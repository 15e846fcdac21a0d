import {
  type ActiveFault,
  deliveryFaults,
  requestFaultName,
  requestFaults,
  requestGroups,
  speeds,
} from '../../service/simulation';
import { Button } from '../elements/button';
import { describeProblem, Problem } from '../elements/problem';
import { oneClick, posts, refresh, swapPart } from '../elements/swap';

interface SimulateProps {
  faults: readonly ActiveFault[];
  speed: number;
  advancedSeconds: number;
  plan: string;
  isExpired: boolean;
  error?: string | undefined;
  /** What is wrong with How many, and what was typed. */
  count?: { typed: string; problem: string } | undefined;
}

const swap = swapPart('simulate');

interface ChangeProps {
  name: string;
  value: string;
  /** Two buttons that replace each other share an id, which keeps the focus. */
  id?: string;
  children: string;
}

const Change = ({ name, value, id = `${name}-${value}`, children }: ChangeProps) => (
  <Button id={id} class="outline small" {...posts('/simulate', { [name]: value })} {...swap}>
    {children}
  </Button>
);

const formatDuration = (seconds: number): string => {
  const minutes = Math.round(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  return [days && `${days} d`, hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`].filter(Boolean).join(' ');
};

/** Something that is simulated, and the button that ends it. */
interface Active {
  /** What it is. Empty when it isn't simulated. */
  text: string;
  name: string;
  value: string;
  back: string;
}

const activeOf = ({ faults, speed, advancedSeconds, plan, isExpired }: SimulateProps): Active[] => {
  const failures = faults.map(({ label, count, zap }) => `${label}: next ${count}${zap ? ` to ${zap}` : ''}`);
  const clock = [
    speed > 1 && `Clock runs ${speed} times faster`,
    advancedSeconds >= 30 && `Clock is ${formatDuration(advancedSeconds)} ahead`,
  ];
  const expired = isExpired && 'The API token was rotated, so reconnect the account';
  const growth =
    plan === 'growth' && "The account is on the Growth plan, in another workspace. The phones don't show its messages";
  return [
    { text: failures.join(' · '), name: 'clear', value: 'faults', back: 'Clear failures' },
    { text: clock.filter(Boolean).join(' · '), name: 'clock', value: 'now', back: 'Back to now' },
    { text: expired || '', name: 'token', value: 'reconnect', back: 'Connect again' },
    { text: growth || '', name: 'plan', value: 'advanced', back: 'Back to Advanced' },
  ].filter(({ text }) => text !== '');
};

const Banner = ({ active }: { active: readonly Active[] }) => (
  <div class="banner" role="status" aria-label="Simulated">
    {active.map(({ text, name, value, back }) => (
      <p>
        <strong>Simulated:</strong> {text}{' '}
        <Change id={`end-${name}`} name={name} value={value}>
          {back}
        </Change>
      </p>
    ))}
  </div>
);

const Failures = ({ count }: SimulateProps) => (
  <form hx-post="/simulate" {...swap} {...oneClick.form}>
    <label>
      Failure
      <select name="fault" id="fault">
        {requestGroups.map(({ requests, label: group }) => (
          <optgroup label={group}>
            {requestFaults.map(({ kind, label }) => (
              <option value={requestFaultName(requests, kind)}>{label}</option>
            ))}
          </optgroup>
        ))}
        <optgroup label="Deliveries to Zaps">
          {deliveryFaults.map(({ kind, label }) => (
            <option value={kind}>{label}</option>
          ))}
        </optgroup>
      </select>
    </label>
    <label>
      How many
      <input
        type="number"
        name="count"
        id="fault-count"
        min={1}
        max={100}
        value={count?.typed ?? '3'}
        required
        {...describeProblem('fault-count', count?.problem)}
      />
    </label>
    <Problem id="fault-count">{count?.problem}</Problem>
    <button type="submit" id="add-fault" class="outline small" data-focus>
      Add
    </button>
  </form>
);

const jumps = [
  ['1 minute', '60'],
  ['1 hour', '3600'],
  ['1 day', '86400'],
] as const;

const Clock = ({ speed: current }: SimulateProps) => (
  <>
    <fieldset>
      <legend>Move the clock forward</legend>
      {jumps.map(([text, seconds]) => (
        <Change name="advance" value={seconds}>
          {text}
        </Change>
      ))}
    </fieldset>
    <fieldset>
      <legend>Speed</legend>
      {speeds.map((speed) => (
        <Button
          id={`speed-${speed}`}
          class="outline small"
          aria-pressed={speed === current ? 'true' : 'false'}
          {...posts('/simulate', { speed })}
          {...swap}
        >
          {speed}×
        </Button>
      ))}
    </fieldset>
  </>
);

const Account = ({ isExpired, plan }: SimulateProps) => (
  <fieldset>
    <legend>Account</legend>
    <Change id="token" name="token" value={isExpired ? 'reconnect' : 'rotate'}>
      {isExpired ? 'Reconnect' : 'Rotate the API token'}
    </Change>
    <Change id="plan" name="plan" value={plan === 'growth' ? 'advanced' : 'growth'}>
      {plan === 'growth' ? 'Use the Advanced plan' : 'Use the Growth plan'}
    </Change>
  </fieldset>
);

/** Failures, time and the account as a window of the bar, and below the bar what is on. */
export const Simulate = (props: SimulateProps) => {
  const active = activeOf(props);
  return (
    <section id="simulate" aria-label="Simulate" {...refresh('/simulate', 'simulation', 'activity')}>
      {active.length > 0 && <Banner active={active} />}
      <section id="simulate-controls" class="menu simulate" popover="auto" aria-label="What to simulate">
        <Problem id="simulate">{props.error}</Problem>
        <Failures {...props} />
        <Clock {...props} />
        <Account {...props} />
      </section>
    </section>
  );
};
