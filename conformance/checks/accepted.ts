import { accepted } from '../../src/api/endpoints';
import { withoutPlace } from '../compare/place';
import type { CheckResult } from './check';

/** Returns the result of a check without the differences that the contract accepts. */
export const accept = (row: CheckResult, reasons: Readonly<Record<string, string>> = accepted): CheckResult => {
  if (row.outcome !== 'differs' && row.outcome !== 'not checked') return row;
  const reasonFor = (text: string): string | undefined => reasons[row.check] ?? reasons[withoutPlace(text)];
  const all = row.differences.length > 0 ? row.differences : [row.detail];
  const [open, known] = [all.filter((each) => !reasonFor(each)), all.filter(reasonFor)];
  if (known.length === 0) return row;
  if (open.length > 0) return { ...row, detail: open.join('; '), differences: open };
  const told = known.map((each) => `${withoutPlace(each)} (accepted: ${reasonFor(each)})`);
  return { ...row, outcome: 'accepted', detail: told.join('; '), differences: [] };
};
