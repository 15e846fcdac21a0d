import { accepted } from '../../../src/api/endpoints';
import { withoutPlace } from '../compare/place';
import { type CheckResult, leaving } from './check';

const isOpen = ({ outcome }: CheckResult): boolean => outcome === 'differs' || outcome === 'not checked';

const textsOf = ({ differences, detail }: CheckResult): readonly string[] =>
  differences.length > 0 ? differences : [detail];

/** Returns what the contract accepts that no check has found. */
export const unused = (
  rows: readonly CheckResult[],
  reasons: Readonly<Record<string, string>> = accepted,
): string[] => {
  const found = new Set(rows.filter(isOpen).flatMap((row) => [row.check, ...textsOf(row).map(withoutPlace)]));
  return Object.keys(reasons).filter((name) => !found.has(name));
};

/** Returns the result of a check without the differences that the contract accepts. */
export const accept = (row: CheckResult, reasons: Readonly<Record<string, string>> = accepted): CheckResult => {
  if (!isOpen(row)) return row;
  const reasonFor = (text: string): string | undefined => reasons[row.check] ?? reasons[withoutPlace(text)];
  const all = textsOf(row);
  const [open, known] = [all.filter((each) => !reasonFor(each)), all.filter(reasonFor)];
  if (known.length === 0) return row;
  if (open.length > 0) return leaving(row, open);
  const texts = known.map((each) => `${withoutPlace(each)} (accepted: ${reasonFor(each)})`);
  return { ...row, outcome: 'accepted', detail: texts.join('; '), differences: [] };
};
