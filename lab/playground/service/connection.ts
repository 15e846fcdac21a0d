import * as z from 'zod/mini';
import type { Connection as ZapConnection } from '../../zapier/core/connection';
import type { Service } from './service';

const rotated = z.object({ token: z.string() });

/** The account that the Zaps are connected to. */
export class Connection implements ZapConnection {
  readonly #service: Service;
  #token: string;
  /** The token that works in place of a rotated one, until somebody reconnects the account. */
  #newToken: string | undefined;
  #refusedToken: string | undefined;

  constructor(service: Service, token: string) {
    this.#service = service;
    this.#token = token;
  }

  get authData(): Record<string, string> {
    return { base_url: this.#service.url, api_token: this.#token, default_country: 'US' };
  }

  /** There is only one. */
  get account(): string {
    return 'advanced';
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
    const body = { token: this.#token };
    this.#newToken = rotated.parse(await this.#service.control('POST', 'tokens/rotate', body)).token;
  }

  /** Connects the account with the new token. */
  reconnect(): void {
    this.#token = this.#newToken ?? this.#token;
    this.#newToken = undefined;
  }
}
