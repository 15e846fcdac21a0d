import { describeOutage } from '../../service/run-notes';
import type { Played, Tour } from '../../service/tour';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { oneClick, refresh, swapPart, swapZap } from '../elements/swap';

const swap = swapPart('phones');

/** Ends the failure, and continues the run at the step that failed, as Autoreplay would. */
const Repair = () => (
  <Button id="repair-it" hx-post="/tour/repair" hx-target="#guide" hx-swap="outerMorph" data-focus {...oneClick.button}>
    Repair it
  </Button>
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
  <Button class={isDone ? 'done' : ''} {...attributes}>
    {isDone && (
      <>
        <Icon name="check" />
        <span class="visually-hidden">Done: </span>
      </>
    )}
    {children}
  </Button>
);

/** Adds an empty Zap. */
const buildsOwn = { 'hx-post': '/zap/new', 'data-shows': 'step', ...oneClick.button, ...swapZap };

const Doors = ({ tour: { zap, played, hasChanged, hasBroken, hasBuilt } }: { tour: Tour }) => (
  <>
    <Door
      id="change-text"
      isDone={hasChanged}
      hx-get={`/zap/${zap.id}?step=1`}
      data-focuses="#field-variable_answer"
      data-shows="step"
      {...swapZap}
    >
      Change the text
    </Door>
    {played.canRepair ? (
      <Repair />
    ) : (
      <Door id="break-it" isDone={hasBroken} hx-post="/tour/break" data-focus {...oneClick.button} {...swap}>
        See it fail
      </Door>
    )}
    <Door id="build-own" isDone={hasBuilt} {...buildsOwn}>
      Build your own
    </Door>
  </>
);

const Close = () => (
  <Button
    id="end-tour"
    class="quiet"
    aria-label="Close the tour"
    hx-post="/tour/end"
    hx-target="#guide"
    hx-swap="outerMorph"
  >
    <Icon name="x" />
  </Button>
);

interface Happened {
  title: string;
  line: string;
}

/** What just happened, in a title and a line. */
const describe = ({ hasStarted, retriesAfter, answer, status, seconds, problem, run }: Played): Happened => {
  if (problem) return { title: 'The run stopped, and Noor got nothing', line: problem };
  if (retriesAfter && !answer) return { title: describeOutage(retriesAfter), line: 'Trying again …' };
  if (status === 'read' && run?.failedAt) {
    return {
      title: 'Noor got one message',
      line: 'Zapier continued the run at the step that failed, and sent it once.',
    };
  }
  if (status === 'read') {
    const after = seconds === 1 ? '1 second' : `${seconds} seconds`;
    return {
      title: `Noor read the answer ${after} after she asked`,
      line: 'Step 2 sent it. The phone also shows what step 2 would send next.',
    };
  }
  if (answer) return { title: 'The answer is on its way', line: `The service says: ${status}.` };
  return hasStarted
    ? { title: 'The Zap is sending the answer', line: 'Its steps light up as they run.' }
    : { title: 'Noor asked when you are open', line: 'A Zap answers questions about opening hours.' };
};

/** In place of the tour after it has ended. */
export const NoGuide = () => <section id="guide" hidden aria-label="Tour" />;

const live = refresh('/tour', 'runs', 'phones');

/** What just happened, with three doors. */
const Strip = ({ tour }: { tour: Tour }) => {
  const { title, line } = describe(tour.played);
  const isRunning = tour.played.run?.status === 'running';
  return (
    <section
      id="guide"
      class="guide"
      aria-labelledby="guide-title"
      {...live}
      {...(isRunning && { 'hx-trigger': 'runs from:body, phones from:body, every 1s' })}
    >
      <div role="status">
        <h2 id="guide-title">{title}</h2>
        <p dir="auto">{line}</p>
      </div>
      <div class="doors">
        <Doors tour={tour} />
      </div>
      <Close />
    </section>
  );
};

/** The first thing to do: see a customer ask and get an answer. */
const Start = () => (
  <section id="guide" class="guide start" aria-labelledby="guide-title" {...live}>
    <h2 id="guide-title">See what your customer sees</h2>
    <p>A customer asks when you're open, and a Zap answers. Nothing leaves your machine.</p>
    <div class="doors">
      <Button id="play" class="primary" hx-post="/tour/play" data-focus {...oneClick.button} {...swap}>
        <Icon name="play" />
        See a customer ask and get an answer
      </Button>
      <Button id="build-own" class="quiet" {...buildsOwn}>
        Build your own
      </Button>
    </div>
  </section>
);

/** The tour: what just happened and three doors, or before it has run, the button that begins it. */
export const Guide = ({ tour }: { tour: Tour }) => (tour.isPlaying ? <Strip tour={tour} /> : <Start />);
