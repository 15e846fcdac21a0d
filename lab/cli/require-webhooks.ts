import { exists } from '../../src/api/missing';

/** Throws an error when the contract lists webhooks as missing, because the playground and its Zaps need them. */
export const requireWebhooks = (): void => {
  if (exists('createWebhook')) return;
  throw new Error('This command needs webhooks, but `missing` in src/api/service.ts says that the service has none.');
};
