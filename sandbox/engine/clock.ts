/** The time that the sandbox lives in, in milliseconds since 1970: everything that is dated or due asks here. */
export interface Clock {
  now(): number;
}

/** A clock that runs at its own speed and can be put forward. */
export interface SandboxClock extends Clock {
  /** Puts the clock forward by so many milliseconds. */
  advance(milliseconds: number): void;
  /** How many real milliseconds go by until the clock shows `time`; 0 when it has passed. */
  realUntil(time: number): number;
}

/** A clock that shows `start` now and runs `speed` times as fast as real time. */
export const startClock = (start: number, speed: number): SandboxClock => {
  const began = performance.now();
  let advanced = 0;
  const now = () => Math.floor(start + (performance.now() - began) * speed + advanced);
  return {
    now,
    advance: (milliseconds) => {
      advanced += milliseconds;
    },
    realUntil: (time) => Math.max(0, (time - now()) / speed),
  };
};

/** The time as the contract writes it: ISO 8601, UTC, whole seconds. */
export const toIso = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
