import { randomUUID } from 'node:crypto';
import { endpoints } from '../../../src/api/endpoints';
import type { ServiceEvent } from '../../recipes/recipe';
import { type Account, callApi, control } from '../../sandbox/client';
import type { OtherStep } from '../../zapier/kinds';
import type { Zap } from '../../zapier/zap/zap';
import { decide } from './approvals';
import type { Parts } from './assemble';
import { composeRecord, otherTrigger, recordCause } from './other-records';
import { readTable } from './other-windows';
import type { Service } from './service';
import { findMadeFrom } from './stage';
import { isUsername, writerOf } from './subject';

const defaultChannel = 'whatsapp';

const requireOne = <T>(records: T[], name: string): T => {
  const [first] = records;
  if (first === undefined) throw new Error(`The service has no ${name}.`);
  return first;
};

const conversationId = async (service: Account, phone: string, channel = defaultChannel): Promise<string> => {
  const { id: contact_id } = requireOne(await listContacts(service, phone), `contact ${phone}`);
  const { data } = await callApi(service, endpoints.listConversations, { query: { contact_id, channel } });
  return requireOne(data, `conversation of ${phone} on ${channel}`).id;
};

/** Lists the contacts with a phone number, or with a username after an @. */
export const listContacts = async (service: Account, phone: string) => {
  if (!isUsername(phone)) return (await callApi(service, endpoints.listContacts, { query: { phone } })).data;
  const username = phone.slice(1);
  const { data } = await callApi(service, endpoints.listContacts, { query: { query: username } });
  return data.filter((each) => each.username === username);
};

/** Makes a customer opt out or in, as a colleague would note it. */
export const setConsent = async (
  { service }: Pick<Parts, 'service'>,
  phone: string,
  consent: 'opted_in' | 'opted_out',
): Promise<void> => {
  for (const { id } of await listContacts(service.account, phone)) {
    await callApi(service.account, endpoints.updateContact, { id, body: { consent } });
  }
};

const press = async (service: Service, { phone, button }: { phone: string; button: string }): Promise<unknown> => {
  const sent = (await service.listMessages()).filter(({ to, direction }) => direction === 'outbound' && to === phone);
  const { id, channel } = requireOne(sent, `message to ${phone}`);
  return service.control('POST', 'messages', { ...writerOf(phone), text: button, channel, reply_to: `${id}` });
};

/** Adds a row with these texts, or the next one, to the app that starts a Zap. Resolves when its run ends or waits. */
export const addRecord = async (
  parts: Parts,
  zap: Zap,
  trigger: OtherStep,
  cells?: readonly string[],
): Promise<void> => {
  const { otherRecords, runner, clock } = parts;
  const { columns, start } = readTable(parts, zap, trigger);
  const record = composeRecord(otherRecords, zap, trigger, columns, cells ?? start?.next ?? []);
  const id = randomUUID();
  otherRecords.add({ id, step: trigger.id, at: new Date(clock.now()).toISOString(), record });
  if (zap.isOn) await runner.startWith(zap, 'live', record, recordCause(id));
};

const addNextRow = async (parts: Parts, title: string): Promise<void> => {
  const zap = findMadeFrom(parts.zaps, title);
  const trigger = zap && otherTrigger(zap);
  if (!zap || !trigger) throw new Error(`No Zap was made from "${title}".`);
  await addRecord(parts, zap, trigger);
};

/** Makes an event happen in the service. A minute passes after messages are sent, in which they arrive, or fail. */
export const applyEvent = async (parts: Parts, event: ServiceEvent): Promise<unknown> => {
  const { service, simulation, runs } = parts;
  const { account } = service;
  switch (event.type) {
    case 'customer writes': {
      const { phone, text, channel = defaultChannel, attachments } = event;
      return control(account.url, 'POST', 'messages', { ...writerOf(phone), text, channel, attachments });
    }
    case 'customer presses':
      return press(service, event);
    case 'colleague replies': {
      const id = await conversationId(account, event.phone, event.channel);
      return control(account.url, 'POST', `conversations/${id}/messages`, { text: event.text });
    }
    case 'conversation closes':
      return control(
        account.url,
        'POST',
        `conversations/${await conversationId(account, event.phone, event.channel)}/close`,
      );
    case 'row is added':
      await addNextRow(parts, event.zap);
      return simulation.advance(30);
    case 'contact is added':
      return callApi(account, endpoints.createContact, { body: event.contact });
    case 'message is sent':
      await callApi(account, endpoints.sendMessage, { body: event.message });
      return simulation.advance(60);
    case 'contact opts out': {
      return setConsent(parts, event.phone, 'opted_out');
    }
    case 'reviewer decides': {
      const { id } = requireOne(
        runs.list().filter(({ status }) => status === 'waiting'),
        'run that waits',
      );
      return decide(parts, id, { decision: event.decision, content: event.content ?? {} });
    }
    case 'campaign completes': {
      const { data } = await callApi(account, endpoints.listCampaigns, { query: { query: event.name } });
      const { id } = requireOne(data, `campaign ${event.name}`);
      await control(account.url, 'POST', `campaigns/${id}/start`);
      return simulation.advance(60);
    }
  }
};
