import type { Story } from '../../service/stories';
import { Icon, type IconName } from '../elements/icon';
import { Time } from '../elements/time';

type Line = Story['lines'][number];

/** The icon of what a line is about. */
export const iconOf = ({ kind, isProblem, isHeld, phone }: Line): IconName => {
  if (isProblem) return 'circle-x';
  if (isHeld) return 'pause';
  if (phone && kind === 'event') return 'send';
  if (kind === 'run') return 'zap';
  return kind === 'request' ? 'webhook' : 'message-circle';
};

/** The time between two lines, such as "0.4 s". Empty when there is none. */
export const formatGap = (from: string, to: string): string => {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (!(seconds >= 0.05)) return '';
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

interface Beat {
  text: string;
  line: Line | undefined;
  /** The time since the part before, if there is one. */
  gap: string | undefined;
}

/** The parts of a story's headline, each with the line that it's about. */
const beatsOf = ({ headline, lines }: Story): Beat[] => {
  const beats = headline.map(({ text, line }) => ({ text, line: lines.find(({ id }) => id === line) }));
  return beats.map(({ text, line }, at) => {
    const before = beats[at - 1]?.line;
    return { text, line, gap: at === 0 ? undefined : before && line ? formatGap(before.at, line.at) : '' };
  });
};

/** How a line looks: what stopped is red, and what waits is amber. */
export const lookOf = (line: Line | undefined): string => {
  if (line?.isProblem) return 'beat problem';
  return line?.isHeld ? 'beat held' : 'beat';
};

const Content = ({ beat: { text, line, gap } }: { beat: Beat }) => (
  <>
    {gap !== undefined && (
      <span class="gap" data-gap={gap}>
        <span class="visually-hidden"> → </span>
      </span>
    )}
    <span class="beat-icon">{line && <Icon name={iconOf(line)} />}</span>
    <span class="beat-text" dir="auto">
      {text}
    </span>
  </>
);

/** A story from left to right, with the times between its parts. */
export const Beats = ({ story }: { story: Story }) => (
  <span class="beats">
    {beatsOf(story).map((beat) => (
      <span class={lookOf(beat.line)}>
        <Content beat={beat} />
      </span>
    ))}
  </span>
);

/** The latest story in one line. */
export const StoryLine = ({ story }: { story: Story }) => (
  <ol class="beats latest" id={`latest-${story.id}`} aria-label="Latest activity">
    {beatsOf(story).map((beat, at) => (
      <li class={lookOf(beat.line)}>
        <Content beat={beat} />
        {at === 0 && <Time at={story.at} />}
      </li>
    ))}
  </ol>
);
