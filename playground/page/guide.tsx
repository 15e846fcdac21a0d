import { firstMessage } from '../service/quick-customers';
import type { Played, Tour } from '../service/tour';
import { Icon } from './icon';
import { oneClick, refresh, swapPart, swapZap } from './swap';

const swap = swapPart('phones');

const stagesOf = ({ hasAsked, hasStarted, answer, status }: Played): { label: string; isDone: boolean }[] => [
  { label: 'A customer asks', isDone: hasAsked },
  { label: 'The Zap starts', isDone: hasStarted },
  { label: 'The Zap sends', isDone: answer !== undefined },
  { label: 'The answer arrives', isDone: answer !== undefined && ['delivered', 'read'].includes(status) },
  { label: 'The customer reads it', isDone: status === 'read' },
];

const Chain = ({ played }: { played: Played }) => (
  <ol class="chain" aria-label="From the question to the answer">
    {stagesOf(played).map(({ label, isDone }) => (
      <li class={isDone ? 'done' : ''}>
        {isDone && <Icon name="check" />}
        {label}
        {isDone && <span class="visually-hidden">: done</span>}
      </li>
    ))}
  </ol>
);

/** Ends the failure, and continues the run at the step that failed. */
const Repair = () => (
  <>
    <p>
      <strong>Repair it</strong> ends the failure and continues the run at the step that failed, as Zapier's Autoreplay
      would. The customer gets one message.
    </p>
    <button
      type="button"
      id="repair-it"
      class="primary"
      hx-post="/tour/repair"
      hx-target="#guide"
      hx-swap="outerMorph"
      {...oneClick.button}
    >
      Repair it
    </button>
  </>
);

const Outcome = ({ played: { hasAsked, answer, problem, retriesAfter, canRepair } }: { played: Played }) => (
  <div role="status">
    {hasAsked && (
      <p class="said" dir="auto">
        "{firstMessage}" {answer && <strong>→ "{answer}"</strong>}
      </p>
    )}
    {retriesAfter && <p>The service responded with {retriesAfter}. Trying again …</p>}
    {problem && <p class="problem">The run failed: {problem}</p>}
    {canRepair && <Repair />}
  </div>
);

const Door = ({
  isDone,
  children,
  ...attributes
}: {
  isDone: boolean;
  children: string;
  [attribute: string]: unknown;
}) => (
  <button type="button" class={isDone ? 'done' : ''} {...attributes}>
    {isDone && (
      <>
        <Icon name="check" />
        <span class="visually-hidden">Done: </span>
      </>
    )}
    {children}
  </button>
);

const Doors = ({ tour: { zap, hasChanged, hasBroken, hasBuilt } }: { tour: Tour }) => (
  <>
    <Door
      id="change-text"
      isDone={hasChanged}
      hx-get={`/zap/${zap.id}?step=1`}
      data-focuses="#field-variable_arrival_time"
      data-shows="step"
      {...swapZap}
    >
      Change the text
    </Door>
    <Door id="break-it" isDone={hasBroken} hx-post="/tour/break" {...oneClick.button} {...swap}>
      See it fail
    </Door>
    <Door id="build-own" isDone={hasBuilt} hx-post="/zap/new" data-shows="step" {...oneClick.button} {...swapZap}>
      Build your own
    </Door>
  </>
);

/** What just happened, in a few words. */
const titleOf = ({ answer, status, problem, hasAsked }: Played): string => {
  if (problem) return 'The run stopped, and the customer got nothing';
  if (status === 'read') return 'The customer got the answer and read it';
  if (answer) return 'The answer is on its way';
  return hasAsked ? 'A customer asked' : 'See what your customer sees';
};

/** The first thing to do: see a customer ask and get an answer. Then three doors, which are ticked as they happen. */
export const Guide = ({ tour }: { tour: Tour }) => {
  const { played } = tour;
  return (
    <section
      id="guide"
      class={played.hasAsked ? 'guide' : 'guide start'}
      aria-labelledby="guide-title"
      {...refresh('/tour', 'runs', 'phones')}
      {...(played.run?.status === 'running' && { 'hx-trigger': 'runs from:body, phones from:body, every 1s' })}
    >
      <h2 id="guide-title">{titleOf(played)}</h2>
      {!played.hasAsked && <p>A customer asks where the parcel is, and a Zap answers. Nothing leaves your machine.</p>}
      {played.hasAsked && <Chain played={played} />}
      <Outcome played={played} />
      <div class="doors">
        <button
          type="button"
          id="play"
          class={played.hasAsked ? 'quiet' : 'primary'}
          hx-post="/tour/play"
          data-focus
          {...oneClick.button}
          {...swap}
        >
          <Icon name="play" />
          {played.hasAsked ? 'Play it again' : 'See a customer ask and get an answer'}
        </button>
        {played.hasAsked && <Doors tour={tour} />}
        {!played.hasAsked && (
          <button type="button" id="skip-tour" class="quiet" hx-get={`/zap/${tour.zap.id}?step=0`} {...swapZap}>
            Skip to the editor
          </button>
        )}
      </div>
    </section>
  );
};
