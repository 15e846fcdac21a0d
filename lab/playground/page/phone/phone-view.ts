/** What the phone shows, from the address of the pane. */
export interface PhoneView {
  chat?: string | undefined;
  /** The customer, in place of a chat: a phone number, or @ and a username. */
  to?: string | undefined;
  /** What that customer is called, who has no chat yet. */
  name?: string | undefined;
  /** How many chats are in the list. */
  chats: number;
  /** How many messages of the open chat are shown. */
  messages: number;
  /** The message that a link leads to. */
  message?: string | undefined;
}

/** The address of the phone as it shows. */
export const phoneAddress = ({ chat, to, name, chats, messages, message }: PhoneView): string =>
  `/phones?${new URLSearchParams({
    ...(chat && { chat }),
    ...(!chat && to && { to }),
    ...(!chat && name && { name }),
    ...(message && { message }),
    chats: `${chats}`,
    messages: `${messages}`,
  })}`;
