/** `npm run texts`: everything that people read, by where they read it. */
import '../../lab/cli/sandboxed';
import '../../lab/zapier/core/quiet-core';
import { type Command, parseFlags, runCommand } from '../../lab/cli/command';
import { expandForms } from '../docs/definition';
import { listAppTexts, type Text } from './app-texts';
import { listSourceTexts } from './source-texts';

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
    'Prints every text that people read: labels, help, notes and results by step, then errors, the playground, recipes and commands by file.',
  options: {},
  examples: ['npm run texts', 'npm run --silent texts > texts.md'],
} as const satisfies Command;

const print = (place: string, own: readonly Text[]): void =>
  console.log([`## ${place}`, '', ...own.map(({ what, text }) => `- ${what}: ${text}`), ''].join('\n'));

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  for (const [place, own] of Map.groupBy(await listTexts(), (each) => each.place)) print(place, own);
};

if (require.main === module) runCommand(command, main);
