import { stripVTControlCharacters } from 'node:util';

/** Runs a command in this process. Returns what it printed, and its exit code. */
export const printedBy = async (run: () => Promise<number>) => {
  const keep = (method: 'log' | 'error') =>
    jest.spyOn(console, method).mockImplementation((...parts) => void lines[method].push(parts.join(' ')));
  const lines: Record<'log' | 'error', string[]> = { log: [], error: [] };
  const spies = [keep('log'), keep('error')];
  try {
    const code = await run();
    return { out: textOf(lines.log), err: textOf(lines.error), code };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
};

const textOf = (lines: readonly string[]): string =>
  stripVTControlCharacters(lines.map((line) => `${line}\n`).join(''));
