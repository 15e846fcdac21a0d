import type { Run } from '../../zapier/runs/run';
import { runningTrigger, type Subscription, type Zap } from '../../zapier/zap/zap';
import { eventsOf } from '../service/new-zaps';
import { definition } from '../service/zapier';
import { EventButton } from './event-button';
import { Problem } from './problem';
import { Runs } from './runs';
import { postWithStep, refresh } from './swap';
import { JustDeleted, Manage, type Steppable, Versions } from './versions';

/** Such as "Starts when a contact sends you a message." */
const startOf = (zap: Zap): string => {
  const description = definition.find(runningTrigger(zap)?.operation ?? '')?.description;
  return description?.replace(/^Triggers/, 'Starts') ?? '';
};

const WebhookDetails = ({ subscription: { id, expiresAt, watches = [] } }: { subscription: Subscription }) => (
  <details id="webhook-details">
    <summary class="manage-title">Webhook details</summary>
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
  </details>
);

/** What the Zap waits for, when it's on. */
const Trigger = ({ zap }: { zap: Zap }) => {
  if (!zap.isOn) return <span class="pill">Off</span>;
  return (
    <>
      <span class="pill on">On</span>{' '}
      <small>
        {startOf(zap)}
        {!zap.subscription && ' Checks for new records every 2 seconds.'}
      </small>
      {zap.subscription && <WebhookDetails subscription={zap.subscription} />}
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
  const isOther = !runningTrigger(zap);
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
      <div class="versions">
        <Versions zap={zap} versions={versions} />
        <Manage zap={zap} />
      </div>
      <Problem id="kept-zap">{zap.problem}</Problem>
      {event && <EventButton zap={zap} event={event} />}
      <Runs zap={zap} runs={runs} />
    </div>
  );
};
