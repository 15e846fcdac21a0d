import { firstMessage } from '../service/quick-customers';
import type { Played, Tour } from '../service/tour';
import { oneClick, refresh, swapPart, swapZap } from './swap';

const swap = swapPart('phones');

const stagesOf = ({
  hasAsked,
  hasStarted,
  isSending,
  answer,
  status,
}: Played): { label: string; isDone: boolean }[] => [
  { label: 'A customer asks', isDone: hasAsked },
  { label: 'The Zap starts', isDone: hasStarted },
  { label: 'Its action sends', isDone: isSending },
  { label: 'The answer arrives', isDone: answer !== undefined && ['delivered', 'read'].includes(status) },
  { label: 'It is read', isDone: status === 'read' },
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

const Outcome = ({ played: { hasAsked, answer, problem } }: { played: Played }) => (
  <div role="status">
    {hasAsked && (
      <p class="said" dir="auto">
        "{firstMessage}" {answer && <strong>→ "{answer}"</strong>}
      </p>
    )}
    {problem && (
      <p class="problem">
        {problem} Click Clear failures at the top. Then open the runs below and click Replay as Autoreplay would.
      </p>
    )}
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
        {hasBroken && '✓ '}Break it (503)
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
const litStep = ({ hasStarted, isSending, status }: Played): number | undefined => {
  if (!hasStarted || status === 'read') return undefined;
  return isSending ? 1 : 0;
};

/** The first thing to do: see a customer ask and get an answer. Then three doors, which are ticked as they happen. */
export const Guide = ({ tour }: { tour: Tour }) => (
  <section
    id="guide"
    class="guide"
    aria-labelledby="guide-title"
    data-lit={litStep(tour.played)}
    {...refresh('/tour', 'runs', 'phones')}
  >
    <h3 id="guide-title">What does my customer see?</h3>
    <button type="button" id="play" hx-post="/tour/play" {...oneClick.button} {...swap}>
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
    Show the tour
  </button>
);
