import type { Zap } from '../../zapier/zap/zap';
import type { MessagePart, MessagePreview } from '../service/message-preview';
import { channelName } from './customer';

const Part = ({ part }: { part: MessagePart }) => {
  if (typeof part === 'string') return <>{part}</>;
  if (part.value === '') return <span class="unfilled">{part.label}</span>;
  return (
    <bdi class={part.problem ? 'filled refused' : 'filled'} title={part.label}>
      {part.value}
    </bdi>
  );
};

/** What the message says, or each of its texts with its language, of which the service chooses one. */
const Texts = ({ message: { texts, template, channel } }: { message: MessagePreview }) => {
  if (template === '') return <p class="missing">Choose a template, and its message appears here.</p>;
  if (texts.length === 0) {
    return (
      <p class="missing">
        {channelName(channel)} has no approved template "{template}".
      </p>
    );
  }
  return (
    <>
      {texts.length > 1 && <small>One of these, by the customer's language</small>}
      {texts.map(({ language, parts }) => (
        <p dir="auto">
          {texts.length > 1 && language && <small class="language">{language}</small>}
          {parts.map((part) => (
            <Part part={part} />
          ))}
        </p>
      ))}
    </>
  );
};

const Recipient = ({ message: { name, phone, channel } }: { message: MessagePreview }) => (
  <small class="recipient">
    To <bdi>{name || phone || <span class="unfilled">Phone Number</span>}</bdi>
    {name && phone && ` (${phone})`}
    {channel && ` on ${channelName(channel)}`}
  </small>
);

interface PreviewBubbleProps {
  /** Undefined for a step that sends no message. */
  message: MessagePreview | undefined;
  zap: Zap;
  /** The position of the step. */
  index: number;
  /** Whether it replaces the one on the page. */
  isUpdate?: boolean;
}

const Bubble = ({ message, zap, index }: PreviewBubbleProps & { message: MessagePreview }) => (
  <section
    id="preview"
    class="preview-bubble"
    aria-label="What the customer sees"
    data-to={message.phone}
    data-name={message.name}
    hx-post={`/message/${zap.id}/${index}`}
    hx-trigger="input from:#panel delay:100ms"
    hx-include="#step"
    hx-swap="none"
    hx-sync="this:replace"
  >
    <div class={message.problem ? 'bubble theirs refused' : 'bubble theirs'}>
      <small class="sender">Preview of step {index + 1}</small>
      <Texts message={message} />
      <Recipient message={message} />
      {message.problem && (
        <p class="not-sent">
          <strong>Not sent.</strong> {message.problem}
        </p>
      )}
    </div>
    {message.waits && <p class="bubble mine missing">The Zap waits for this reply.</p>}
  </section>
);

/** The message of the open step, in the chat where it would land. Follows the form while a person types. */
export const PreviewBubble = ({ message, isUpdate = false, ...step }: PreviewBubbleProps) => (
  <div id="preview-place" hx-morph-skip {...(isUpdate && { 'hx-swap-oob': 'innerMorph' })}>
    {message && <Bubble message={message} {...step} />}
  </div>
);
