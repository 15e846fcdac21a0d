/** A time of the service, as a person reads it: hours and minutes, with the whole time on hover. */
export const Time = ({ at }: { at: string | null | undefined }) => {
  if (!at || Number.isNaN(Date.parse(at))) return null;
  const date = new Date(at);
  const pad = (value: number) => String(value).padStart(2, '0');
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return (
    <time datetime={at} title={date.toString()}>
      {time}
    </time>
  );
};
