import { isNote } from '../../../src/api/filters';
import type { Message } from '../../../src/api/resources';
import { nameOfPerson } from './people';
import { messagesIn } from './sent-messages';
import type { Service } from './service';
import { subjectOf } from './subject';

/** A customer's chat on one channel. */
export interface Chat {
  /** The id of the conversation. */
  id: string;
  /** The phone number, or @ and the username of a customer who hides it. */
  phone: string;
  name: string;
  channel: string;
  /** Oldest first. */
  messages: Message[];
  /** How many messages reached the phone since somebody last opened the chat. */
  unread: number;
}

const progress = ['queued', 'sent', 'delivered', 'read', 'failed'];

/** Whether the message is an older state of the one that is known. Deliveries don't always arrive in order. */
const isOlderState = (known: Message | undefined, next: Message): boolean =>
  known !== undefined && progress.indexOf(`${known.status}`) > progress.indexOf(`${next.status}`);

/** What the customers see: every chat with its messages, kept up to date by the service's events. */
export class Chats {
  readonly #chats = new Map<string, Chat>();
  #open: string | undefined;

  /** Reads all messages of the service. */
  async load(service: Service): Promise<void> {
    const messages = await service.listMessages();
    for (const each of messages.reverse()) this.#put(each);
  }

  /** Adds the message that a step gave. A message that is only queued has no event yet. */
  putOutput(output: unknown): void {
    for (const each of messagesIn(output)) this.put(each);
  }

  /** Adds a message, or its next state. Counts it as unread when it has just reached the phone. */
  put(next: Message): void {
    const { known, chat } = this.#put(next) ?? {};
    const hasArrived = (state: Message | undefined) => progress.indexOf(`${state?.status}`) >= 2;
    if (!chat || next.direction !== 'outbound' || next.status === 'failed' || chat.id === this.#open) return;
    if (!hasArrived(next) || hasArrived(known)) return;
    chat.unread += 1;
    this.#moveToFront(chat);
  }

  /** The name of the customer with this phone number, if it's known. */
  nameOf(phone: string): string | undefined {
    const known = this.list().find((each) => each.phone === phone && each.name !== '');
    return known?.name ?? nameOfPerson(phone);
  }

  #put(next: Message): { chat: Chat; known: Message | undefined } | undefined {
    if (!next.conversation_id || isNote(next)) return undefined;
    const chat = this.#chatOf(next.conversation_id, next);
    const at = chat.messages.findLastIndex(({ id }) => id === next.id);
    const known = chat.messages[at];
    if (known && !isOlderState(known, next)) chat.messages[at] = next;
    if (known) return { chat, known };
    chat.messages.push(next);
    this.#moveToFront(chat);
    return { chat, known };
  }

  #chatOf(id: string, message: Message): Chat {
    const { channel } = message;
    const { phone = '', name = '' } = subjectOf(message);
    const chat = this.#chats.get(id) ?? { id, phone, name, channel: channel ?? '', messages: [], unread: 0 };
    chat.name = name || chat.name || (nameOfPerson(phone) ?? '');
    this.#chats.set(id, chat);
    return chat;
  }

  /** A new message does this, and its arrival. The ticks of a message don't. */
  #moveToFront(chat: Chat): void {
    // The last one comes last, so that the list needs no sorting.
    this.#chats.delete(chat.id);
    this.#chats.set(chat.id, chat);
  }

  /** The chat of a conversation, as it is now. */
  find(id: string): Chat | undefined {
    return this.#chats.get(id);
  }

  /** The chats, newest first. */
  list(): Chat[] {
    return [...this.#chats.values()].reverse();
  }

  /** Opens a chat, so that its messages count as seen. */
  open(id: string | undefined): Chat | undefined {
    this.#open = id;
    const chat = this.#chats.get(id ?? '');
    if (chat) chat.unread = 0;
    return chat;
  }
}
