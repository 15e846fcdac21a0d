/** Finds a shorter plan that still breaks the same invariant. */
import type { Plan, PlannedOperation } from './world';

type StillFails = (plan: Plan) => Promise<boolean>;

/** The most worlds to run again. */
const maxTries = 400;

/** Drops operations, faults and deaths while the plan still fails. */
export const shrink = async (plan: Plan, stillFails: StillFails): Promise<Plan> => {
  let shortest = plan;
  let tries = 0;
  const attempt = async (operations: PlannedOperation[]): Promise<boolean> => {
    tries += 1;
    const shorter = { ...shortest, operations };
    if (tries > maxTries || !(await stillFails(shorter))) return false;
    shortest = shorter;
    return true;
  };
  for (let size = plan.operations.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; start < shortest.operations.length; ) {
      const { operations } = shortest;
      const isDropped = await attempt([...operations.slice(0, start), ...operations.slice(start + size)]);
      if (!isDropped) start += size;
    }
  }
  const change = (id: number, to: (operation: PlannedOperation) => PlannedOperation) =>
    attempt(shortest.operations.map((each) => (each.id === id ? to(each) : each)));
  for (const { id, faults, killAfterMs } of shortest.operations) {
    if (killAfterMs !== undefined) await change(id, (each) => ({ ...each, killAfterMs: undefined }));
    for (const fault of faults.toReversed()) {
      await change(id, (each) => ({ ...each, faults: each.faults.filter((other) => other !== fault) }));
    }
  }
  return shortest;
};
