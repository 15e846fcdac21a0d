import type { Zap } from '../../zapier/zap';
import type { MessagePart, MessagePreview } from '../service/message-preview';
import { Avatar, channelName } from './customer';

interface MessagePhoneProps {
  message: MessagePreview;
  zap: Zap;
  /** The position of the step. */
  index: number;
  /** Whether it replaces the one on the page. */
  isUpdate?: boolean;
}

const Part = ({ part }: { part: MessagePart }) => {
  if (typeof part === 'string') return <>{part}</>;
  if (part.value === '') return <span class="unfilled">{part.label}</span>;
  return (
    <bdi class="filled" title={part.label}>
      {part.value}
    </bdi>
  );
};

const Bubble = ({ message: { parts, template } }: { message: MessagePreview }) => {
  if (template === '') return <p class="bubble theirs missing">Choose a template, and its message appears here.</p>;
  if (!parts) return <p class="bubble theirs missing">The service has no template "{template}".</p>;
  return (
    <p class="bubble theirs" dir="auto">
      {parts.map((part) => (
        <Part part={part} />
      ))}
    </p>
  );
};

/** The phone of the person who gets the message of the open step. Follows the form while a person types. */
export const MessagePhone = ({ message, zap, index, isUpdate = false }: MessagePhoneProps) => {
  const { name, phone, channel, waits } = message;
  return (
    <section
      id="message-phone"
      class="message-phone"
      aria-labelledby="message-phone-title"
      hx-post={`/message/${zap.id}/${index}`}
      hx-trigger="input from:#open-step delay:100ms"
      hx-include="#step"
      hx-swap="none"
      hx-sync="this:replace"
      {...(isUpdate && { 'hx-swap-oob': 'outerMorph' })}
    >
      <h3 id="message-phone-title">What the customer sees</h3>
      <div class="device">
        <div class="device-header">
          {phone === '' ? <span class="avatar" aria-hidden="true" /> : <Avatar customer={message} />}
          <div>
            <strong dir="auto">{name || phone || <span class="unfilled">Phone Number</span>}</strong>
            {name && <small>{phone}</small>}
          </div>
        </div>
        <div class="device-chat">
          {channel && <small class="device-channel">{channelName(channel)}</small>}
          <Bubble message={message} />
          {waits && <p class="bubble mine missing">The Zap waits for this reply.</p>}
        </div>
        <div class="device-write" aria-hidden="true">
          Message
        </div>
      </div>
    </section>
  );
};
