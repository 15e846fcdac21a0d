import type { Zap } from '../../../zapier/zap/zap';
import type { MessagePreview } from '../../service/message-preview';
import { channelName } from './customer';
import { AroundText, Parts } from './whole-message';

/** The message, or each of its versions with its language, of which the service chooses one. */
const Versions = ({ message: { versions, unapproved, template, channel } }: { message: MessagePreview }) => {
  if (template === '') return <p class="missing">Choose a template, and its message appears here.</p>;
  if (versions.length === 0) {
    return (
      <p class="missing">
        {unapproved.length > 0
          ? `The service lists the template "${template}" as ${unapproved.join(', ')}.`
          : `${channelName(channel)} has no template "${template}".`}
      </p>
    );
  }
  return (
    <>
      {versions.length > 1 && <small>One of these, by the customer's language</small>}
      {versions.map((version) => (
        <div class="version">
          {versions.length > 1 && version.language && <small class="language">{version.language}</small>}
          <AroundText message={version} isPreview>
            <p dir="auto">
              <Parts parts={version.body} />
            </p>
          </AroundText>
        </div>
      ))}
    </>
  );
};

const Recipient = ({ message: { name, phone, channel, audience } }: { message: MessagePreview }) => (
  <small class="recipient">
    To{' '}
    {audience === undefined ? (
      <bdi>{name || phone || <span class="unfilled">Phone Number</span>}</bdi>
    ) : (
      <strong>{audience === 1 ? '1 person' : `${audience.toLocaleString('en')} people`}</strong>
    )}
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
    data-signed={message.versions[0]?.footer}
    hx-post={`/message/${zap.id}/${index}`}
    hx-trigger="input from:#panel delay:100ms"
    hx-include="#step"
    hx-swap="none"
    hx-sync="this:replace"
  >
    <div class={message.problem ? 'bubble theirs refused' : 'bubble theirs'}>
      <small class="sender">Preview of step {index + 1}</small>
      <Versions message={message} />
      <Recipient message={message} />
      {message.isOnlyInSandbox && <small>The sandbox delivers marketing to US numbers. WhatsApp doesn't.</small>}
      {message.isRepeat && !message.problem && (
        <p class="not-sent again">
          <strong>Already sent</strong> for the same value, so nothing new would be sent.
        </p>
      )}
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
