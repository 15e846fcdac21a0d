/** Finds a shorter plan that still breaks the same invariant. */
import type { Plan, PlannedOperation } from './world';

type StillFails = (plan: Plan) => Promise<boolean>;

/** The most worlds to run again. */
const maxTries = 400;

/** Drops operations while the plan still fails: halves of them first, single ones last. */
export const dropOperations = async (plan: Plan, stillFails: StillFails): Promise<Plan> => {
  let shortest = plan;
  for (let size = plan.operations.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; start < shortest.operations.length; ) {
      const { operations } = shortest;
      const shorter = { ...shortest, operations: [...operations.slice(0, start), ...operations.slice(start + size)] };
      if (await stillFails(shorter)) shortest = shorter;
      else start += size;
    }
  }
  return shortest;
};

/** Drops operations, faults and deaths while the plan still fails. */
export const shrink = async (plan: Plan, stillFails: StillFails): Promise<Plan> => {
  let tries = 0;
  const fails: StillFails = async (shorter) => {
    tries += 1;
    return tries <= maxTries && stillFails(shorter);
  };
  let shortest = await dropOperations(plan, fails);
  const change = async (id: number, to: (operation: PlannedOperation) => PlannedOperation): Promise<void> => {
    const operations = shortest.operations.map((each) => (each.id === id ? to(each) : each));
    const shorter = { ...shortest, operations };
    if (await fails(shorter)) shortest = shorter;
  };
  for (const { id, faults, killAfterMs } of shortest.operations) {
    if (killAfterMs !== undefined) await change(id, (each) => ({ ...each, killAfterMs: undefined }));
    for (const fault of faults.toReversed()) {
      await change(id, (each) => ({ ...each, faults: each.faults.filter((other) => other !== fault) }));
    }
  }
  return shortest;
};
