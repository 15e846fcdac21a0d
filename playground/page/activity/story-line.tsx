import type { Story } from '../../service/stories';
import { Icon, type IconName } from '../elements/icon';
import { Time } from '../elements/time';

type Line = Story['lines'][number];

const iconOf = ({ kind, isProblem, isHeld, phone }: Line): IconName => {
  if (isProblem) return 'circle-x';
  if (isHeld) return 'pause';
  if (phone && kind === 'event') return 'send';
  if (kind === 'run') return 'zap';
  return kind === 'request' ? 'webhook' : 'message-circle';
};

const formatGap = (from: string, to: string): string => {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (!(seconds >= 0.05)) return '';
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

/** The parts of a story's headline, each with the line that it's about. */
const beatsOf = ({ headline, lines }: Story): { text: string; line: Line | undefined }[] =>
  headline.map(({ text, line }) => ({ text, line: lines.find(({ id }) => id === line) }));

const lookOf = (line: Line | undefined): string => {
  if (line?.isProblem) return 'beat problem';
  return line?.isHeld ? 'beat held' : 'beat';
};

/** The latest story from left to right, with the times between. */
export const StoryLine = ({ story }: { story: Story }) => {
  const beats = beatsOf(story);
  return (
    <ol class="beats" id={`latest-${story.id}`} aria-label="The latest story">
      {beats.map(({ text, line }, at) => {
        const before = beats[at - 1]?.line;
        return (
          <li class={lookOf(line)}>
            {at > 0 && <span class="gap">{before && line && formatGap(before.at, line.at)}</span>}
            <span class="beat-icon">{line && <Icon name={iconOf(line)} />}</span>
            <span class="beat-text" dir="auto">
              {text.charAt(0).toUpperCase() + text.slice(1)}
            </span>
            {at === 0 && <Time at={story.at} />}
          </li>
        );
      })}
    </ol>
  );
};
