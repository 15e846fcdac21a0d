import type { Story } from '../service/stories';
import { Icon, type IconName } from './icon';
import { Time } from './time';

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

/** What a story says, each part with the line that it's about. */
const beatsOf = ({ headline, lines }: Story): { says: string; line: Line | undefined }[] =>
  headline.map(({ says, line }) => ({ says, line: lines.find(({ id }) => id === line) }));

const lookOf = (line: Line | undefined): string => {
  if (line?.isProblem) return 'beat problem';
  return line?.isHeld ? 'beat held' : 'beat';
};

/** The latest story from left to right, with the times between. */
export const StoryLine = ({ story }: { story: Story }) => {
  const beats = beatsOf(story);
  return (
    <ol class="beats" id={`latest-${story.id}`} aria-label="The latest story">
      {beats.map(({ says, line }, at) => {
        const before = beats[at - 1]?.line;
        return (
          <li class={lookOf(line)}>
            {at > 0 && <span class="gap">{before && line && formatGap(before.at, line.at)}</span>}
            <span class="beat-icon">{line && <Icon name={iconOf(line)} />}</span>
            <span class="says" dir="auto">
              {says.charAt(0).toUpperCase() + says.slice(1)}
            </span>
            {at === 0 && <Time at={story.at} />}
          </li>
        );
      })}
    </ol>
  );
};
