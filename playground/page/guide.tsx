import { firstMessage } from '../service/quick-customers';
import type { Played, Tour } from '../service/tour';
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
        <span aria-hidden="true">{isDone ? '✓ ' : ''}</span>
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
      class="small"
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
    {retriesAfter && <p>The service answers {retriesAfter}. Trying again …</p>}
    {problem && <p class="problem">The run failed: {problem}</p>}
    {canRepair && <Repair />}
  </div>
);

const Doors = ({ tour: { zap, hasChanged, hasBroken, hasBuilt } }: { tour: Tour }) => (
  <ul class="doors" aria-label="Then">
    <li class={hasChanged ? 'done' : ''}>
      <button
        type="button"
        id="change-text"
        class="secondary outline small"
        hx-get={`/zap/${zap.id}?step=1`}
        data-focuses="#field-variable_arrival_time"
        {...swapZap}
      >
        {hasChanged && '✓ '}Change the text
      </button>
    </li>
    <li class={hasBroken ? 'done' : ''}>
      <button
        type="button"
        id="break-it"
        class="secondary outline small"
        hx-post="/tour/break"
        {...oneClick.button}
        {...swap}
      >
        {hasBroken && '✓ '}See it fail
      </button>
    </li>
    <li class={hasBuilt ? 'done' : ''}>
      <button
        type="button"
        id="build-own"
        class="secondary outline small"
        hx-post="/zap/new"
        {...oneClick.button}
        {...swapZap}
      >
        {hasBuilt && '✓ '}Build your own
      </button>
    </li>
  </ul>
);

/** The stage that lights up a step of the Zap. */
const litStep = ({ hasAsked, hasStarted, status }: Played): number | undefined => {
  if (!hasAsked || status === 'read') return undefined;
  return hasStarted ? 1 : 0;
};

/** The first thing to do: see a customer ask and get an answer. Then three doors, which are ticked as they happen. */
export const Guide = ({ tour }: { tour: Tour }) => (
  <section
    id="guide"
    class="guide"
    aria-labelledby="guide-title"
    data-lit={litStep(tour.played)}
    {...refresh('/tour', 'runs', 'phones')}
    {...(tour.played.run?.status === 'running' && { 'hx-trigger': 'runs from:body, phones from:body, every 1s' })}
  >
    <h3 id="guide-title">What does my customer see?</h3>
    <button type="button" id="play" hx-post="/tour/play" data-focus {...oneClick.button} {...swap}>
      See a customer ask and get an answer
    </button>
    <Chain played={tour.played} />
    <Outcome played={tour.played} />
    {tour.played.hasAsked && <Doors tour={tour} />}
  </section>
);

/** Brings back the first screen from anywhere. */
export const TourButton = () => (
  <button type="button" id="show-tour" class="secondary outline small" data-shows="zap" hx-get="/tour/zap" {...swapZap}>
    <span class="for-wide">Show the</span> tour
  </button>
);
