const pad = (value: number) => String(value).padStart(2, '0');

const isTime = (at: string | null | undefined): at is string => Boolean(at) && !Number.isNaN(Date.parse(`${at}`));

interface TimeProps {
  at: string | null | undefined;
}

const Shown = ({ at, format, look }: TimeProps & { format: (date: Date) => string; look?: string }) => {
  if (!isTime(at)) return null;
  const date = new Date(at);
  return (
    <time datetime={at} title={date.toString()} class={look}>
      {format(date)}
    </time>
  );
};

const toClock = (date: Date): string => `${pad(date.getHours())}:${pad(date.getMinutes())}`;

const toTime = (date: Date): string => {
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday ? '' : `${date.toLocaleDateString('en', { month: 'short', day: 'numeric' })} `;
  return `${day}${toClock(date)}:${pad(date.getSeconds())}`;
};

/** A time of the service, as a person reads it. Includes the day unless it's today, and shows the whole time on hover. */
export const Time = ({ at }: TimeProps) => <Shown at={at} format={toTime} />;

/** The hour and minute, as a phone shows them. The whole time shows on hover. */
export const Clock = ({ at }: TimeProps) => <Shown at={at} format={toClock} look="clock" />;
