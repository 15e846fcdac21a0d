/** A time of the service, as a person reads it. Includes the day unless it's today, and shows the whole time on hover. */
export const Time = ({ at }: { at: string | null | undefined }) => {
  if (!at || Number.isNaN(Date.parse(at))) return null;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday ? '' : `${date.toLocaleDateString('en', { month: 'short', day: 'numeric' })} `;
  const pad = (value: number) => String(value).padStart(2, '0');
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return (
    <time datetime={at} title={date.toString()}>
      {day}
      {time}
    </time>
  );
};
