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
  text: string;
  name: string;
  value: string;
  back: string;
}

const activeFaults = ({ faults }: SimulateProps): Active[] =>
  faults.length === 0
    ? []
    : [
        {
          text: faults.map(({ label, count, zap }) => `${label}: next ${count}${zap ? ` to ${zap}` : ''}`).join(' · '),
          name: 'clear',
          value: 'faults',
          back: 'Clear failures',
        },
      ];

const activeOf = (props: SimulateProps): Active[] => {
  const { speed, advancedSeconds, plan, isExpired } = props;
  const ahead = advancedSeconds >= 30 ? `Clock is ${formatDuration(advancedSeconds)} ahead` : '';
  const fast = speed > 1 ? `Clock runs ${speed} times faster` : '';
  const clock = [fast, ahead].filter(Boolean).join(' · ');
  return [
    ...activeFaults(props),
    ...(clock ? [{ text: clock, name: 'clock', value: 'now', back: 'Back to now' }] : []),
    ...(isExpired
      ? [
          {
            text: 'The API token was rotated, so reconnect the account',
            name: 'token',
            value: 'reconnect',
            back: 'Connect again',
          },
        ]
      : []),
    ...(plan === 'growth'
      ? [
          {
            text: "The account is on the Growth plan, in another workspace. The phones don't show its messages",
            name: 'plan',
            value: 'advanced',
            back: 'Back to Advanced',
          },
        ]
      : []),
  ];
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

const Clock = ({ speed: current }: SimulateProps) => (
  <>
    <fieldset>
      <legend>Move the clock forward</legend>
      <Change name="advance" value="60">
        1 minute
      </Change>
      <Change name="advance" value="3600">
        1 hour
      </Change>
      <Change name="advance" value="86400">
        1 day
      </Change>
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
    {isExpired ? (
      <Change id="token" name="token" value="reconnect">
        Reconnect
      </Change>
    ) : (
      <Change id="token" name="token" value="rotate">
        Rotate the API token
      </Change>
    )}
    {plan === 'growth' ? (
      <Change id="plan" name="plan" value="advanced">
        Use the Advanced plan
      </Change>
    ) : (
      <Change id="plan" name="plan" value="growth">
        Use the Growth plan
      </Change>
    )}
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
