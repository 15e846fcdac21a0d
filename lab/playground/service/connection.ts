import * as z from 'zod/mini';
import { exampleConnection } from '../../../src/api/connection';
import type { Connection as ZapConnection } from '../../zapier/core/connection';
import type { Service } from './service';

const rotated = z.object({ token: z.string() });

interface Tokens {
  advanced: string;
  growth: string;
}

/** The account that the Zaps are connected to. */
export class Connection implements ZapConnection {
  readonly #service: Service;
  readonly #growthToken: string;
  #advancedToken: string;
  /** The token that works in place of a rotated one, until somebody reconnects the account. */
  #newToken: string | undefined;
  #refusedToken: string | undefined;
  plan: 'advanced' | 'growth' = 'advanced';

  constructor(service: Service, { advanced, growth }: Tokens) {
    this.#service = service;
    this.#advancedToken = advanced;
    this.#growthToken = growth;
  }

  get #token(): string {
    return this.plan === 'growth' ? this.#growthToken : this.#advancedToken;
  }

  get authData(): Record<string, string> {
    return { base_url: this.#service.url, api_token: this.#token, ...exampleConnection, default_country: 'US' };
  }

  /** The account whose messages the phones show. */
  static readonly onPhones = 'advanced';

  /** Each plan has an account of its own. */
  get account(): string {
    return this.plan;
  }

  /** Whether somebody rotated the token and hasn't reconnected the account. */
  get isExpired(): boolean {
    return this.#newToken !== undefined;
  }

  /** Whether Zapier knows that the token no longer works. It then holds runs instead of sending requests. */
  get holdsRuns(): boolean {
    return this.#refusedToken === this.#token;
  }

  /** Notes that the service refused the token. */
  refuse(): void {
    this.#refusedToken = this.#token;
  }

  /** Replaces the token in the service, so that the one that the Zaps use stops working. */
  async rotate(): Promise<void> {
    if (this.#newToken) return;
    const body = { token: this.#advancedToken };
    this.#newToken = rotated.parse(await this.#service.control('POST', 'tokens/rotate', body)).token;
  }

  /** Connects the account with the new token. */
  reconnect(): void {
    this.#advancedToken = this.#newToken ?? this.#advancedToken;
    this.#newToken = undefined;
  }
}
