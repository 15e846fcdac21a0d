import { type Activity, type ActivityKind, type ActivitySources, maxLines, requestActivity } from './activity';
import { type Line, listLines } from './lines';
import { toReadableJson } from './readable-json';
import { describeSubject } from './subject';

/** What one event or one click led to, with every line from cause to effect. */
export interface Story {
  /** The id of its first line. */
  id: string;
  number: number;
  at: string;
  /** The chain in words, such as "Noor asked", "Send the delivery time ran" and "answered, read (4 s)", each with the id of its line. */
  headline: { text: string; line: string }[];
  /** Who it's about, and what was written. */
  subject: string | undefined;
  isProblem: boolean;
  /** Whether a person of the page or a Zap is part of it. */
  isCaused: boolean;
  lines: Activity[];
}

const rootOf = (line: Line, byId: ReadonlyMap<string, Line>): Line => {
  let root = line;
  // A chain has no loop, but data of an earlier version may.
  for (let steps = 0; steps < 20; steps += 1) {
    const parent = byId.get(root.parent ?? '');
    if (!parent) return root;
    root = parent;
  }
  return root;
};

/** The lines of each story, by the id of its first line. */
const groupLines = (lines: readonly Line[]): Map<string, Line[]> => {
  const byId = new Map(lines.map((each) => [each.id, each]));
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const { id } = rootOf(line, byId);
    const group = groups.get(id) ?? [];
    group.push(line);
    groups.set(id, group);
  }
  return groups;
};

const formatTook = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return 'under 1 s';
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

/** Has each line once. Of several answers, the last one. */
const headlineOf = (lines: readonly Line[]): Story['headline'] => {
  const [first] = lines;
  const answer = lines.findLast(({ kind }) => kind === 'message');
  return lines.flatMap((line, at) => {
    if (line.kind !== 'message') return line.phrase ? { text: line.phrase, line: line.id } : [];
    if (line !== answer) return [];
    const took =
      line === first ? '' : ` (${formatTook(Date.parse(line.doneAt ?? line.at) - Date.parse(first?.at ?? line.at))})`;
    // What a customer writes after it is a reply.
    const isAsked = lines.slice(0, at).some(({ status }) => status === 'message.received');
    const phrase = line.parent && !isAsked ? 'sent a message' : line.phrase;
    return { text: `${phrase}, ${line.status}${took}`, line: line.id };
  });
};

/** Lines as the page shows them. */
const showLines = (lines: readonly Line[]): Activity[] => {
  const numbers = new Map(lines.map((each) => [each.id, each.number]));
  return lines.map(({ parent, phrase, subject, doneAt, isCaused, kind, ...line }) => ({
    ...line,
    kind: kind === 'message' ? 'event' : kind,
    // What opened the conversation belongs to the story, and may come before the message that it belongs to.
    cause: [numbers.get(parent ?? '') ?? []].flat().find((number) => number < line.number),
  }));
};

const toStory = (id: string, unsorted: readonly Line[]): Story => {
  const lines = unsorted.toSorted((a, b) => a.number - b.number);
  const root = lines.find((each) => each.id === id);
  const subjects = [root, ...lines].flatMap((each) => (each?.subject && describeSubject(each.subject)) ?? []);
  return {
    id,
    number: lines[0]?.number ?? 0,
    at: root?.at ?? '',
    headline: headlineOf(lines),
    subject: subjects[0],
    isProblem: lines.some(({ isProblem }) => isProblem),
    isCaused: lines.some(({ isCaused }) => isCaused),
    lines: showLines(lines),
  };
};

/** Adds to open runs every request that they made, as the service received it. */
const addRequests = async (
  sources: ActivitySources,
  lines: readonly Activity[],
  open: readonly string[],
): Promise<void> => {
  const runs = lines.filter(({ kind, id }) => kind === 'run' && open.includes(id));
  if (runs.length === 0) return;
  const logged = new Map((await requestActivity(sources, maxLines)).map((each) => [each.id, each]));
  for (const run of runs) {
    run.details = run.details.flatMap((detail) => {
      const request = logged.get(detail.request ?? '');
      const received = request?.details.filter(({ label }) => !label.startsWith('Idempoten'));
      return [detail, ...(received ?? [])];
    });
  }
};

const isAbout = ({ title, details }: Activity, customer: string): boolean =>
  title.includes(customer) || toReadableJson(details).includes(customer);

/** What the activity list shows. */
interface ActivityFilters {
  /** Part of a phone number or of an id, or nothing. */
  customer: string;
  /** How many lines or stories to list. */
  count: number;
  /** The ids of what is open. */
  open: readonly string[];
}

/** The newest stories, newest first. There is one more than `count` when there are earlier ones. */
export const listStories = async (
  sources: ActivitySources,
  { customer, count, open }: ActivityFilters,
): Promise<Story[]> => {
  // What began a story may be older than many lines of others.
  const stories = [...groupLines(await listLines(sources))]
    .map(([id, group]) => toStory(id, group))
    .filter(
      ({ subject, lines }) =>
        customer === '' || subject?.includes(customer) || lines.some((line) => isAbout(line, customer)),
    )
    .sort((a, b) => b.number - a.number)
    .slice(0, count + 1);
  await addRequests(
    sources,
    stories.flatMap(({ lines }) => lines),
    open,
  );
  return stories;
};

/** The newest lines of a kind, newest first. There is one more than `count` when there are earlier ones. */
export const listActivity = async (
  sources: ActivitySources,
  kind: ActivityKind,
  { customer, count, open }: ActivityFilters,
): Promise<Activity[]> => {
  // A filter may match only old requests. Most requests are in no story.
  const limit = customer === '' ? Math.min(count + 1, maxLines) : maxLines;
  const all = kind === 'request' ? await requestActivity(sources, limit) : showLines(await listLines(sources));
  const lines = all
    .filter((line) => line.kind === kind && (customer === '' || isAbout(line, customer)))
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, count + 1);
  await addRequests(sources, lines, open);
  return lines;
};
