import type { Run } from '../../zapier/run';
import { runningSteps, type Zap } from '../../zapier/zap';
import { eventsOf } from '../service/new-zaps';
import { EventButton } from './event-button';
import { Problem } from './problem';
import { Runs } from './runs';
import { postWithStep, refresh } from './swap';
import { JustDeleted, Manage, type Steppable, Versions } from './versions';

/** What the Zap waits for, when it's on. */
const Trigger = ({ zap }: { zap: Zap }) => {
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

const Start = ({ zap }: { zap: Zap }) => (
  <button type="button" id="start-zap" {...postWithStep(`/zap/${zap.id}/start`)}>
    Run the Zap
  </button>
);

const Switch = ({ zap }: { zap: Zap }) => (
  <button
    type="button"
    id="switch"
    class={zap.isOn ? 'secondary outline' : ''}
    {...postWithStep(`/zap/${zap.id}/${zap.isOn ? 'off' : 'on'}`)}
  >
    {zap.isOn ? 'Turn off' : 'Turn on'}
  </button>
);

/** Whether the Zap is on, what starts it, and its runs. Changes with every run, and when another tab turns the Zap on. */
export const ZapStatus = ({ zap, runs, versions }: { zap: Zap; runs: readonly Run[]; versions: Steppable }) => {
  const isOther = runningSteps(zap)[0]?.type === 'other';
  const event = zap.isOn || isOther ? eventsOf(zap).at(-1) : undefined;
  return (
    <div id="runs" {...refresh(`/zap/${zap.id}/runs`, 'runs')}>
      <div class="heading">
        <div>
          <h3>{zap.title}</h3>
          {!isOther && <Trigger zap={zap} />}
        </div>
        {isOther ? <Start zap={zap} /> : <Switch zap={zap} />}
      </div>
      {zap.isDeleted && <JustDeleted zap={zap} />}
      <Versions zap={zap} versions={versions} />
      <Manage zap={zap} />
      <Problem id="kept-zap">{zap.problem}</Problem>
      {event && <EventButton zap={zap} event={event} />}
      <Runs zap={zap} runs={runs} />
    </div>
  );
};
