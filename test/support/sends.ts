/** The steps that send. */

import type { Bundle as CoreBundle } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { endpoints } from '../../src/api/endpoints';
import { readIdempotencyKey } from '../../src/step/once';
import { authData } from './service';
import { runStep } from './zapier';

export type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

export const runCreate = (step: string, inputData: object, bundle: Bundle = {}) =>
  runStep(`creates.${step}.operation.perform`, { authData, inputData: { ...inputData }, ...bundle });

export const to = '+12025550123';
export const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };
export const oneRecipient = { campaign: 'cmp_5Jc1Fy', audience: 'one' };

/** Every step that sends, with input for one person but the number. */
export const sends: [step: string, input: object][] = [
  ['send_message', parcel],
  ['send_message_and_wait', parcel],
  ['start_campaign', oneRecipient],
];

export const inEditor = { isLoadingSample: true };

const asBundle = z.custom<CoreBundle>();

/** Returns the key for a value of Send Once for Each, and the form in which it was mapped. */
export const readKey = (deduplication_key: string, form?: string): string | undefined =>
  readIdempotencyKey(
    endpoints.sendMessage,
    asBundle.parse({
      inputData: { deduplication_key },
      ...(form !== undefined && { inputDataRaw: { deduplication_key: form } }),
    }),
  )();
