import * as z from 'zod/mini';
import type { Service } from '../service';

const rotated = z.object({ token: z.string() });

interface Tokens {
  advanced: string;
  growth: string;
}

/** The account that the Zaps are connected to. */
export class Connection {
  readonly #service: Service;
  readonly #growthToken: string;
  #advancedToken: string;
  /** The token that works in place of a rotated one, until somebody reconnects the account. */
  #newToken: string | undefined;
  plan: 'advanced' | 'growth' = 'advanced';

  constructor(service: Service, { advanced, growth }: Tokens) {
    this.#service = service;
    this.#advancedToken = advanced;
    this.#growthToken = growth;
  }

  get authData(): Record<string, string> {
    return {
      base_url: this.#service.url,
      api_token: this.plan === 'growth' ? this.#growthToken : this.#advancedToken,
    };
  }

  get isExpired(): boolean {
    return this.#newToken !== undefined;
  }

  /** Replaces the token in the service, so that the one that the Zaps use stops working. */
  async rotate(): Promise<void> {
    if (this.#newToken) return;
    const { token } = rotated.parse(
      await this.#service.control('POST', 'tokens/rotate', { token: this.#advancedToken }),
    );
    this.#newToken = token;
  }

  reconnect(): void {
    this.#advancedToken = this.#newToken ?? this.#advancedToken;
    this.#newToken = undefined;
  }
}
