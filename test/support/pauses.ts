import timers from 'node:timers/promises';
import { deadlineMs } from './deadline';
import { sandboxSpeed } from './seeded';

const { setTimeout: sleep } = timers;

/** Whether the clock is one of jest's, which a test moves. */
const isClockFake = (): boolean => Object.hasOwn(setTimeout, 'clock');

/**
 * Lets the pauses between retries end at once, in every test of a file. They move a fake clock by their length. A sleep
 * with a signal is a time limit, which is longer here, because a busy machine is no reason to give up.
 */
export const skipPauses = (): void => {
  beforeAll(() => {
    jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms, value, options) => {
      if (options?.signal) return sleep(deadlineMs, value, options);
      if (isClockFake()) jest.advanceTimersByTime(ms ?? 0);
      return sleep(0, value);
    });
  });
};

/** Makes pauses so many times shorter, and time limits longer. */
const shorten = (times: number): void => {
  beforeAll(() => {
    jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation((ms = 0, value, options) => sleep(options?.signal ? deadlineMs : ms / times, value, options));
  });
};

/** Lets pauses end when the clock of a sandbox has passed them, which runs faster in tests. Time limits are longer. */
export const shortenPauses = (): void => shorten(sandboxSpeed);

/** Makes time limits longer in every test of a file. A person sees the pauses between retries, which take their time. */
export const lengthenLimits = (): void => shorten(1);
