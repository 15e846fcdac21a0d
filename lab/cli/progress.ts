import { clearLine, cursorTo } from 'node:readline';

const { stderr } = process;

/** Removes the progress line. */
export const clearProgress = (): void => {
  if (!stderr.isTTY) return;
  clearLine(stderr, 0);
  cursorTo(stderr, 0);
};

/** Shows one line that replaces the previous one. Shows nothing when the errors aren't printed on a terminal. */
export const showProgress = (text: string): void => {
  if (!stderr.isTTY) return;
  clearProgress();
  stderr.write(text.slice(0, (stderr.columns || 80) - 1));
};
