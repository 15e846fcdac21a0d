import { message } from '../../../src/api/resources';
import { hasEnded } from '../../zapier/runs/run';
import type { Parts } from './assemble';
import { setConsent } from './events';
import { firstMessage } from './quick-customers';
import { turnOnAlone } from './stage';
import { chatOf, customer, readTour } from './tour';

/** Lets a customer ask. Returns the id of the chat. */
const ask = async (parts: Parts): Promise<string | undefined> => {
  const { service, chats } = parts;
  // The customer of an earlier tour has a name already.
  await service.addContact(customer).catch(() => undefined);
  if (await service.hasOptedOut(customer.phone)) await setConsent(parts, customer.phone, 'opted_in');
  const question = { from: customer.phone, text: firstMessage, channel: 'whatsapp', stays_open: true };
  const written = message.schema.parse(await service.control('POST', 'messages', question));
  chats.put(written);
  return written.conversation_id ?? undefined;
};

/** Turns the first Zap on until the tour ends, and lets a customer ask. Returns the id of the chat. Rejects with an error of core, or of the service. */
export const play = async (parts: Parts): Promise<string | undefined> => {
  const { zaps, tourState } = parts;
  const [zap] = zaps.list();
  tourState.change({ phase: 'playing' });
  if (zap && !zap.isOn) {
    await turnOnAlone(parts, zap);
    tourState.change({ turnedOn: true });
  }
  return ask(parts);
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

/** Ends the tour with its failure, and turns its Zap off unless it was on before. */
export const endTour = async (parts: Parts): Promise<void> => {
  const { tourState, simulation, subscriptions, zaps, live } = parts;
  if (tourState.phase !== 'playing') return;
  const { turnedOn } = tourState;
  tourState.change({ phase: 'over', turnedOn: false });
  if (simulation.isForTour) {
    simulation.isForTour = false;
    await simulation.endTourFault();
  }
  const [zap] = zaps.list();
  if (zap?.isOn && turnedOn) await subscriptions.turnOff(zap);
  live.changed('runs');
};
