import { Icon, type IconName } from './icon';

const ticks: Record<string, IconName> = {
  queued: 'clock',
  sent: 'check',
  delivered: 'check-check',
  read: 'check-check',
  failed: 'circle-alert',
};

/** Whether a text is a status of a message, which has ticks. */
export const isTicked = (text: string): boolean => Object.hasOwn(ticks, text);

/** The ticks of a message, as phones draw them. */
export const Ticks = ({ status }: { status: string }) => {
  const icon = ticks[status];
  return (
    <span class={`ticks ${status}`}>
      {icon && <Icon name={icon} />}
      <span class="visually-hidden">{status}</span>
    </span>
  );
};
