import type { ServiceEvent } from '../../../recipes/recipe';
import type { Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { postWithStep } from '../elements/swap';

const describe = (event: ServiceEvent): string => {
  switch (event.type) {
    case 'customer writes':
      return `${event.phone} writes "${event.text}"`;
    case 'customer presses':
      return `${event.phone} presses "${event.button}"`;
    case 'colleague replies':
      return `A colleague replies to ${event.phone}`;
    case 'conversation closes':
      return `A colleague closes the conversation with ${event.phone}`;
    case 'row is added':
      return 'A row is added, and the other Zap sends its message';
    case 'contact is added':
      return `A colleague adds the contact ${event.contact.phone ?? event.contact.email}`;
    case 'contact opts out':
      return `${event.phone} opts out`;
    case 'reviewer decides':
      return event.decision === 'approved' ? 'A person approves' : 'A person declines';
    case 'message is sent':
      return `A colleague sends a message to ${event.message.to}`;
    case 'campaign completes':
      return `The campaign ${event.name} starts and is completed`;
  }
};

/** What starts the Zap of a recipe, and a button that simulates it. */
export const EventButton = ({ zap, event }: { zap: Zap; event: ServiceEvent }) => (
  <p class="canvas-note">
    <Button id="simulate-event" class="outline small" {...postWithStep(`/zap/${zap.id}/event`)}>
      Simulate this event
    </Button>{' '}
    {describe(event)}.
  </p>
);
