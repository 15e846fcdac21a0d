import type { Zap } from '../../zapier/zap/zap';
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
    <bdi class={part.problem ? 'filled refused' : 'filled'} title={part.label}>
      {part.value}
    </bdi>
  );
};

const Bubble = ({ parts }: { parts: readonly MessagePart[] }) => (
  <p class="bubble theirs" dir="auto">
    {parts.map((part) => (
      <Part part={part} />
    ))}
  </p>
);

/** The text of the message, or each of them with its language, of which the service chooses one. */
const Texts = ({ message: { texts, template, channel } }: { message: MessagePreview }) => {
  if (template === '') return <p class="bubble theirs missing">Choose a template, and its message appears here.</p>;
  const [only, ...others] = texts;
  if (!only) {
    return (
      <p class="bubble theirs missing">
        {channelName(channel)} has no approved template "{template}".
      </p>
    );
  }
  if (others.length === 0) return <Bubble parts={only.parts} />;
  return (
    <>
      <small class="device-channel">One of these, by the customer's language</small>
      {texts.map(({ language, parts }) => (
        <>
          {language && <small class="device-channel">{language}</small>}
          <Bubble parts={parts} />
        </>
      ))}
    </>
  );
};

/** The phone of the person who gets the message of the open step. Follows the form while a person types. */
export const MessagePhone = ({ message, zap, index, isUpdate = false }: MessagePhoneProps) => {
  const { name, phone, channel, waits, problem } = message;
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
          <Texts message={message} />
          {problem && (
            <p class="not-sent">
              <strong>Not sent.</strong> {problem}
            </p>
          )}
          {waits && <p class="bubble mine missing">The Zap waits for this reply.</p>}
        </div>
        <div class="device-write" aria-hidden="true">
          Message
        </div>
      </div>
    </section>
  );
};
