/** Lengths of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The current time of the sandbox, in milliseconds since 1970. */
export interface Clock {
  now(): number;
}

/** A clock that has its own speed and can jump. */
export interface SandboxClock extends Clock {
  advance(milliseconds: number): void;
  /** Shows the time of this machine again. What is due later stays due at its time. */
  reset(): void;
  /** The real milliseconds until the clock shows `time`, or 0 when it's past. */
  realUntil(time: number): number;
}

/** Starts a clock at `start` that runs `speed` times as fast as real time. */
export const startClock = (start: number, speed: number): SandboxClock => {
  const startedAt = performance.now();
  let advanced = 0;
  const now = () => Math.floor(start + (performance.now() - startedAt) * speed + advanced);
  return {
    now,
    advance: (milliseconds) => {
      advanced += milliseconds;
    },
    reset: () => {
      advanced += Date.now() - now();
    },
    realUntil: (time) => Math.max(0, (time - now()) / speed),
  };
};

/** Formats a time as the API does: ISO 8601, UTC, whole seconds. */
export const toIso = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
