import { failures } from '../../service/simulation';
import { Button } from '../elements/button';
import { Problem } from '../elements/problem';
import { posts, refresh, swapPart } from '../elements/swap';

interface SimulateProps {
  /** What goes wrong now. */
  failing: readonly string[];
  advancedSeconds: number;
  isExpired: boolean;
  error?: string | undefined;
}

interface ChangeProps {
  name: string;
  value: string;
  /** Two buttons that replace each other share an id, which keeps the focus. */
  id?: string;
  isPressed?: boolean;
  children: string;
}

const Change = ({ name, value, id = `${name}-${value}`, isPressed = false, children }: ChangeProps) => (
  <Button
    id={id}
    class="outline small"
    aria-pressed={isPressed ? 'true' : 'false'}
    {...posts('/simulate', { [name]: value })}
    {...swapPart('simulate')}
  >
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

const activeOf = ({ failing, advancedSeconds, isExpired }: SimulateProps): Active[] => [
  ...(failing.length > 0
    ? [{ text: failing.join(' · '), name: 'clear', value: 'failures', back: 'Clear failures' }]
    : []),
  ...(advancedSeconds >= 30
    ? [{ text: `Clock is ${formatDuration(advancedSeconds)} ahead`, name: 'clock', value: 'now', back: 'Back to now' }]
    : []),
  ...(isExpired ? [{ text: 'The API token expired', name: 'token', value: 'reconnect', back: 'Connect again' }] : []),
];

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

const jumps = [
  ['1 minute', '60'],
  ['1 hour', '3600'],
  ['1 day', '86400'],
] as const;

/** What goes wrong and the time, as a window of the bar, and below the bar what is on. */
export const Simulate = (props: SimulateProps) => {
  const { failing, isExpired, error } = props;
  const active = activeOf(props);
  return (
    <section id="simulate" aria-label="Simulate" {...refresh('/simulate', 'simulation', 'runs')}>
      {active.length > 0 && <Banner active={active} />}
      <section id="simulate-controls" class="menu simulate" popover="auto" aria-label="What to simulate">
        <Problem id="simulate">{error}</Problem>
        <fieldset>
          <legend>What goes wrong</legend>
          {failures.map(({ kind, label }) => (
            <Change name="failure" value={kind} isPressed={failing.includes(label)}>
              {label}
            </Change>
          ))}
          <Change id="token" name="token" value={isExpired ? 'reconnect' : 'rotate'} isPressed={isExpired}>
            The API token expired
          </Change>
        </fieldset>
        <fieldset>
          <legend>Move the clock forward</legend>
          {jumps.map(([text, seconds]) => (
            <Change name="advance" value={seconds}>
              {text}
            </Change>
          ))}
        </fieldset>
      </section>
    </section>
  );
};
