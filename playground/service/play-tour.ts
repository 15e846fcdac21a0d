import { message } from '../../src/api/resources';
import { hasEnded } from '../../zapier/runs/run';
import { hasDraft } from '../../zapier/zap/versions';
import type { Parts } from './assemble';
import { firstMessage, quickCustomers } from './quick-customers';
import { chatOf, readTour } from './tour';

const [customer] = quickCustomers;

/** Turns the first Zap on or publishes its draft, and lets a customer ask. Returns the id of the chat. Rejects with an error of core, or of the service. */
export const play = async ({ zaps, subscriptions, service, chats }: Parts): Promise<string | undefined> => {
  const [zap] = zaps.list();
  if (zap && !zap.isOn) await subscriptions.turnOn(zap);
  else if (zap && hasDraft(zap)) await subscriptions.publish(zap);
  const question = { from: customer.phone, text: firstMessage, channel: 'whatsapp', stays_open: true };
  const written = message.schema.parse(await service.control('POST', 'messages', question));
  chats.putWritten(written);
  return written.conversation_id ?? undefined;
};

/** Lets a customer ask while the service fails, unless an earlier run is still trying to send. Returns the id of the chat. */
export const playFailing = async (parts: Parts): Promise<string | undefined> => {
  const { run } = readTour(parts)?.played ?? {};
  if (run && !hasEnded(run)) return chatOf(parts)?.id;
  await parts.simulation.addTourFault();
  const chat = await play(parts);
  parts.simulation.isForTour = true;
  return chat;
};

/** Ends every failure, and continues the run at the step that failed. */
export const repair = async (parts: Parts): Promise<void> => {
  const { run } = readTour(parts)?.played ?? {};
  await parts.simulation.clearFaults();
  if (run) await parts.runner.autoreplay(run);
};
