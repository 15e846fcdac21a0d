import type { Message } from '../../../../src/api/resources';
import { textOf } from '../../../../src/text/lines';
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

/** A landscape. It stands for the picture in the header of a message. */
const landscape = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 110">
  <rect width="240" height="110" fill="#d5e6f2"/>
  <circle cx="186" cy="32" r="14" fill="#f4c95d"/>
  <path d="M0 110 74 42l52 48 34-26 80 46z" fill="#7fa88b"/>
  <path d="M0 110 40 78l46 32z" fill="#5e8a6d"/>
</svg>`;

/** The picture in the header of a message. */
export const HeaderPicture = ({ name }: { name: string }) => (
  <img class="header-picture" src={`data:image/svg+xml,${encodeURIComponent(landscape)}`} alt={`Picture: ${name}`} />
);

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
