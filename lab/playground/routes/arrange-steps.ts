import { swapSteps, withCopy, withoutStepOrPath } from '../../zapier/zap/arrange';
import { fullZap, type Zap } from '../../zapier/zap/zap';
import { definition } from '../service/zapier';
import { type Posted, readOne } from './form';
import type { Parts } from './parts';

/** The step to show, and a sentence when nothing changed. */
interface Arranged {
  index: number;
  error?: string;
}

const maxName = 120;

/** Moves a step past the one above or below it. */
const move = ({ zaps }: Parts, zap: Zap, index: number, by: 1 | -1): Arranged => {
  const arranged = swapSteps(definition, zap.steps, by > 0 ? index : index - 1);
  if (typeof arranged === 'string') return { index, error: arranged };
  zaps.arrange(zap, arranged);
  return { index: index + by };
};

const copy = ({ zaps }: Parts, zap: Zap, index: number): Arranged => {
  const before = zap.steps.length;
  if (index === 0) return { index };
  zaps.arrange(zap, withCopy(zap.steps, index));
  return zap.steps.length > before ? { index: index + 1 } : { index, error: fullZap };
};

const remove = ({ zaps }: Parts, zap: Zap, index: number): Arranged => {
  if (index > 0) zaps.arrange(zap, withoutStepOrPath(zap.steps, index));
  return { index: Math.min(index, zap.steps.length - 1) };
};

/** Gives a step a name. Without one, it's called by what it does. */
const rename = ({ zaps }: Parts, zap: Zap, index: number, name: string): Arranged => {
  const step = zap.steps[index];
  if (step) zaps.change(zap, { steps: zap.steps.with(index, { ...step, name: name || undefined }) });
  return { index };
};

/** Moves, copies, removes or renames a step, if the form asks for that. */
export const arrangeSteps = (parts: Parts, zap: Zap, index: number, body: Posted): Arranged | undefined => {
  switch (readOne(body, 'action')) {
    case 'up':
      return move(parts, zap, index, -1);
    case 'down':
      return move(parts, zap, index, 1);
    case 'copy':
      return copy(parts, zap, index);
    case 'remove':
      return remove(parts, zap, index);
    case 'rename':
      return rename(parts, zap, index, (readOne(body, 'name') ?? '').trim().slice(0, maxName));
    default:
      return undefined;
  }
};
