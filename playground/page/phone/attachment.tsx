import type { Message } from '../../../src/api/resources';
import { textOf } from '../../../src/messages/text';
import { Icon } from '../elements/icon';

type Sent = NonNullable<Message['attachments']>[number];

/** A picture of a parcel. It stands for every photo, because the sandbox keeps no files. */
const parcel = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 110">
  <rect width="160" height="110" fill="#dfe7ec"/>
  <path d="M45 38 80 24l35 14v40L80 92 45 78z" fill="#c59a6d"/>
  <path d="M80 52v40l35-14V38z" fill="#ac8154"/>
  <path d="m45 38 35 14 35-14-35-14z" fill="#dcb68c"/>
  <path d="m54 60 9-6-3 9 8 3-10 3" fill="none" stroke="#5d4326" stroke-width="2"/>
</svg>`;

/** What a file's name ends in, such as PDF. */
const kindOfFile = (name: string): string => /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'File';

/** An attachment of a message, as a phone shows it: a photo as a picture, a document as a file, and anything else by its name. */
export const Attachment = ({ attachment }: { attachment: Pick<Sent, 'type' | 'name'> }) => {
  const name = attachment.name ?? '';
  if (attachment.type === 'image') {
    return <img src={`data:image/svg+xml,${encodeURIComponent(parcel)}`} alt={`Photo: ${name || 'no name'}`} />;
  }
  if (attachment.type === 'document' || attachment.type === 'video') {
    return (
      <p class="file">
        <Icon name={attachment.type === 'video' ? 'play' : 'file-text'} />
        <span dir="auto">{name || textOf({ attachments: [attachment] })}</span>
        <small>{kindOfFile(name)}</small>
      </p>
    );
  }
  return (
    <p>
      {textOf({ attachments: [attachment] })} {name}
    </p>
  );
};
