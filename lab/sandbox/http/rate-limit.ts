import { type LabClock, minute } from '../../zapier/clock';
import { ApiError } from '../engine/api-error';

interface Allowance {
  left: number;
  at: number;
}

/** Limits the requests per minute of each token. The allowance refills evenly. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #clock: LabClock;
  readonly #allowances = new Map<string, Allowance>();

  constructor(perMinute: number, clock: LabClock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** Counts a request of the token. Throws a 429 with the seconds until the next one is allowed. */
  count(token: string): void {
    const now = this.#clock.now();
    const { left, at } = this.#allowances.get(token) ?? { left: this.#perMinute, at: now };
    // The clock may have gone back.
    const allowed = Math.min(this.#perMinute, left + (Math.max(0, now - at) / minute) * this.#perMinute);
    this.#allowances.set(token, { left: allowed >= 1 ? allowed - 1 : allowed, at: now });
    if (allowed >= 1) return;
    const wait = this.#clock.realUntil(now + ((1 - allowed) * minute) / this.#perMinute);
    throw new ApiError('rate_limited', 'Too many requests.', { retryAfter: Math.ceil(wait / 1000) });
  }
}
