import { recipes } from '../../recipes';
import type { Recipe } from '../../recipes/recipe';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import type { Zap } from '../../zapier/zap/zap';

const recipeOf = ({ madeFrom }: Zap): Recipe | undefined => recipes.find(({ title }) => title === madeFrom);

/** The newest Zap that was made from the recipe with this title. */
export const findMadeFrom = (zaps: Zaps, title: string): Zap | undefined =>
  zaps.list().findLast(({ madeFrom }) => madeFrom === title);

/** The Zap that the recipe of another one needs. */
const neededBy = (zaps: Zaps, zap: Zap): Zap | undefined => {
  const { needs } = recipeOf(zap) ?? {};
  return needs && findMadeFrom(zaps, needs.title);
};

/** The Zaps that the page shows together: this one, the one that its recipe needs, and those whose recipe needs it. */
export const stageOf = (zaps: Zaps, zap: Zap): Zap[] => {
  const needed = neededBy(zaps, zap);
  const needing = zaps.list().filter((each) => neededBy(zaps, each) === zap);
  return [zap, ...(needed ? [needed] : []), ...needing];
};

interface StageParts {
  zaps: Zaps;
  subscriptions: { turnOn(zap: Zap): Promise<unknown>; turnOff(zap: Zap): Promise<string | undefined> };
}

/** Turns on a Zap with the one that it needs, and turns off those of other stages, whose runs would mix with its own. Returns these. */
export const turnOnAlone = async ({ zaps, subscriptions }: StageParts, zap: Zap): Promise<Zap[]> => {
  const needed = neededBy(zaps, zap);
  if (needed && !needed.isOn) await subscriptions.turnOn(needed);
  await subscriptions.turnOn(zap);
  const stage = stageOf(zaps, zap);
  const others = zaps.list().filter((each) => each.isOn && !stage.includes(each));
  for (const each of others) await subscriptions.turnOff(each);
  return others;
};
