import type { Message } from '../api/resources';
import { inZone } from './local-time';

const sender = ({ direction, contact, from }: Message): string => {
  if (direction === 'outbound') return 'Us';
  return [contact?.first_name, contact?.last_name].filter(Boolean).join(' ') || from || 'Contact';
};

const moment = (time: string | null | undefined, timeZone: string | null | undefined): string => {
  const instant = new Date(time ?? '');
  return Number.isNaN(instant.getTime()) ? '' : `[${inZone(instant, timeZone)}] `;
};

/**
 * Messages, the newest first, as plain text to read from the top: the oldest first, one line each, such as
 * `[2026-06-11 11:40] Noor Visser: Where is my parcel?`, with the time in `timeZone`.
 */
export const transcript = (messages: Message[], timeZone: string | null | undefined): string =>
  messages
    .map((message) => {
      const text = (message.text ?? '').replace(/\s+/g, ' ').trim();
      return `${moment(message.created_at, timeZone)}${sender(message)}: ${text}`;
    })
    .reverse()
    .join('\n');
