/** A call whose service gives any responses, without core and without a network. */

import type { HttpRequestOptions, ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { type AnyInput, type Endpoint, endpoints } from '../../src/api/endpoints';
import type { EndpointName } from '../../src/api/transport';
import { call } from '../../src/call/call';
import { noteAccount } from '../../src/step/run';
import { authData } from './service';

/** What the service responds with, or how the connection fails. */
export type Reply = [status: number, body?: string, headers?: Record<string, string>] | Error;

/**
 * Makes a call of an account, whose service gives these replies, one after another, and the last one for ever. `keys` are
 * the idempotency keys of the requests.
 */
export const answered = (name: EndpointName, input: AnyInput, replies: Reply[], api_token = authData.api_token) => {
  const keys: unknown[] = [];
  const request = async ({ headers }: HttpRequestOptions) => {
    keys.push(new Headers(headers).get('idempotency-key'));
    const reply = replies[Math.min(keys.length, replies.length) - 1] ?? [500];
    if (reply instanceof Error) {
      // As node-fetch says it, which the tests of a read show.
      const error = new Error(`request to ${authData.base_url}/ failed, reason: ${reply.message}`);
      throw Object.assign(error, { ...reply, name: 'FetchError' });
    }
    const [status, body = '', given = {}] = reply;
    return { status, headers: new Headers(given), text: async () => body };
  };
  const step: ZObject = Object.assign(Object.create(null), { request });
  const policy = name === 'sendMessage' ? { tellsRepeat: true } : {};
  noteAccount(step, { authData: { ...authData, api_token } });
  const outcome = call<Endpoint, zod.ZodMiniType>(step, endpoints[name], input, policy);
  return { outcome, keys };
};

export const someone = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+12025550123' };
export const withKey = { idempotencyKey: 'order 1' };

export const read = (name: EndpointName, ...replies: Reply[]) => answered(name, { id: '101' }, replies).outcome;
export const sendOf = (more: AnyInput, ...replies: Reply[]) =>
  answered('sendMessage', { body: someone, ...more }, replies);
export const send = (more: AnyInput, ...replies: Reply[]) => sendOf(more, ...replies).outcome;

export const inJson = (status: number, body: object): Reply => [status, JSON.stringify(body)];
