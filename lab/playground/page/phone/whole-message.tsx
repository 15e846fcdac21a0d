import type { Child } from 'hono/jsx';
import { type MessageButton, readParts, type TextPart, type WholeMessage } from '../../service/whole-message';
import { Button } from '../elements/button';
import { Icon, type IconName } from '../elements/icon';
import { Attachment, HeaderPicture } from './attachment';

const Part = ({ part }: { part: TextPart }) => {
  if (typeof part === 'string') return <>{part}</>;
  if (part.value === '') return <span class="unfilled">{part.label}</span>;
  return (
    <span class={part.problem ? 'filled refused' : 'filled'} title={part.label}>
      {part.value}
    </span>
  );
};

/** A text whose variables are marked. */
export const Parts = ({ parts }: { parts: readonly TextPart[] }) => (
  <>
    {parts.map((part) => (
      <Part part={part} />
    ))}
  </>
);

/** What a header may show besides a text. */
const files = ['image', 'video', 'document'];

const isFilled = (part: TextPart): boolean => typeof part === 'string' || (part.value !== '' && !part.problem);

/** The last part of a file's address, which people know it by. */
const fileNameOf = (address: string): string => {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  return path.split('/').findLast(Boolean) ?? address;
};

interface HeaderProps {
  header: NonNullable<WholeMessage['header']>;
  /** Whether values are marked. */
  isPreview: boolean;
}

const Header = ({ header: { type, parts }, isPreview }: HeaderProps) => {
  if (type === 'text') {
    return (
      <p class="message-header" dir="auto">
        {isPreview ? <Parts parts={parts} /> : readParts(parts)}
      </p>
    );
  }
  const isFile = files.includes(type);
  if (isFile && !parts.every(isFilled))
    return (
      <p>
        <Parts parts={parts} />
      </p>
    );
  if (type === 'image') return <HeaderPicture name={fileNameOf(readParts(parts))} />;
  return <Attachment attachment={{ type, name: isFile ? fileNameOf(readParts(parts)) : readParts(parts) }} />;
};

const buttonIcons: Record<string, IconName> = {
  quick_reply: 'reply',
  url: 'external-link',
  phone_number: 'phone',
  copy_code: 'copy',
};

const Label = ({ button: { type, text } }: { button: MessageButton }) => {
  const icon = buttonIcons[type];
  return (
    <>
      {icon && <Icon name={icon} />}
      <span dir="auto">{text}</span>
    </>
  );
};

interface ButtonsProps {
  buttons: readonly MessageButton[];
  isPreview: boolean;
  /** Attributes of htmx for a button that answers, by its position. Undefined where nobody can press it. */
  press?: ((button: MessageButton, at: number) => object) | undefined;
}

const Buttons = ({ buttons, isPreview, press }: ButtonsProps) => (
  <ul class="message-buttons" aria-label="Buttons">
    {buttons.map((button, at) => (
      <li>
        {press && button.type === 'quick_reply' ? (
          <Button class="quiet" {...press(button, at)}>
            <Label button={button} />
          </Button>
        ) : (
          <span class={isPreview || button.type !== 'quick_reply' ? 'message-button' : 'message-button spent'}>
            <Label button={button} />
          </span>
        )}
        {button.type === 'url' && (
          <small dir="ltr">{isPreview ? <Parts parts={button.url} /> : readParts(button.url)}</small>
        )}
      </li>
    ))}
  </ul>
);

interface WholeMessageProps extends Omit<ButtonsProps, 'buttons'> {
  message: WholeMessage;
  /** The text of the message. */
  children: Child;
}

/** A message with what its template has around the text. */
export const AroundText = ({ message: { header, footer, buttons }, children, ...props }: WholeMessageProps) => (
  <>
    {header && <Header header={header} isPreview={props.isPreview} />}
    {children}
    {footer && (
      <small class="message-footer" dir="auto">
        {footer}
      </small>
    )}
    {buttons.length > 0 && <Buttons buttons={buttons} {...props} />}
  </>
);
