const pad = (value: number) => String(value).padStart(2, '0');

const isTime = (at: string | null | undefined): at is string => Boolean(at) && !Number.isNaN(Date.parse(`${at}`));

/** A time of the service, as a person reads it. Includes the day unless it's today, and shows the whole time on hover. */
export const Time = ({ at }: { at: string | null | undefined }) => {
  if (!isTime(at)) return null;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday ? '' : `${date.toLocaleDateString('en', { month: 'short', day: 'numeric' })} `;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return (
    <time datetime={at} title={date.toString()}>
      {day}
      {time}
    </time>
  );
};

/** The hour and minute, as a phone shows them. The whole time shows on hover. */
export const Clock = ({ at }: { at: string | null | undefined }) => {
  if (!isTime(at)) return null;
  const date = new Date(at);
  return (
    <time datetime={at} title={date.toString()} class="clock">
      {pad(date.getHours())}:{pad(date.getMinutes())}
    </time>
  );
};
