/** `npm run texts`: everything that people read, by where they read it. */
import '../../lab/cli/sandboxed';
import '../../lab/zapier/core/quiet-core';
import { type Command, parseFlags, runCommand } from '../../lab/cli/command';
import { expandForms } from '../docs/definition';
import { listAppTexts, type Text } from './app-texts';
import { listSourceTexts } from './source-texts';
import { everyStep, groupErrors } from './step-errors';

/** Leaves out what the app shows as a label or a help text: it's there with its step already. */
const withoutShown = (texts: readonly Text[], shown: readonly Text[]): Text[] => {
  const known = new Set(shown.map(({ text }) => text));
  const all = [...known];
  const isShown = (text: string): boolean => {
    const parts = text.split('…').filter((part) => part.trim().length > 2);
    return known.has(text) || (parts.length > 0 && all.some((other) => parts.every((part) => other.includes(part))));
  };
  return texts.filter(({ what, text }) => what !== 'error' || !isShown(text));
};

const readTexts = async (): Promise<Text[]> => {
  const shown = listAppTexts(await expandForms());
  return [...shown, ...withoutShown(listSourceTexts(), shown)];
};
let texts: Promise<Text[]> | undefined;

/** Lists the texts of the product: the app by step, then what is only in the code, by file. Reads the code once. */
export const listTexts = (): Promise<Text[]> => {
  texts ??= readTexts();
  return texts;
};

const command = {
  name: 'npm run texts',
  summary:
    'Prints every text that people read: labels, help, notes, results and errors by step, then the playground, recipes and commands by file.',
  options: {},
  examples: ['npm run texts', 'npm run --silent texts > texts.md'],
} as const satisfies Command;

const print = (place: string, own: readonly Text[]): void =>
  console.log([`## ${place}`, '', ...own.map(({ what, text }) => `- ${what}: ${text}`), ''].join('\n'));

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  const all = await listTexts();
  const errors = groupErrors(all);
  const grouped = new Set([...errors.values()].flat());
  const others = all.filter((text) => !grouped.has(text));
  print(everyStep, errors.get(everyStep) ?? []);
  for (const [place, own] of Map.groupBy(others, (each) => each.place))
    print(place, [...own, ...(errors.get(place) ?? [])]);
};

if (require.main === module) runCommand(command, main);
