/** The files of messages. The sandbox keeps none: each kind of attachment has the same few bytes. */
import type { vocabulary } from '../../../src/api/resources';

type AttachmentType = (typeof vocabulary.attachmentType)[number];

/** The smallest picture that programs open: one gray dot, as a JPEG. */
const picture =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=';

const page =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

interface File {
  type: string;
  content: Buffer<ArrayBuffer>;
}

const files: Record<AttachmentType, File> = {
  image: { type: 'image/jpeg', content: Buffer.from(picture, 'base64') },
  audio: { type: 'audio/ogg', content: Buffer.from('OggS') },
  video: { type: 'video/mp4', content: Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1') },
  document: { type: 'application/pdf', content: Buffer.from(page) },
  location: { type: 'application/geo+json', content: Buffer.from('{"type":"Point","coordinates":[4.9,52.4]}') },
};

const isAttachmentType = (type: string): type is AttachmentType => Object.hasOwn(files, type);

/** Returns the file of a kind of attachment, if there is such a kind. */
export const fileOf = (type: string): File | undefined => (isAttachmentType(type) ? files[type] : undefined);

/** A file of a message. Without a `url`, the sandbox has it. */
export interface Attachment {
  type: string;
  name: string;
  url?: string;
}

/** Returns the last part of a file's address, which is its name. */
export const fileNameOf = (url: string): string => {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return path.split('/').findLast(Boolean) ?? url;
};

/** Returns the path of an attachment's file. */
export const filePath = ({ type, name }: Attachment): string => `/files/${type}/${encodeURIComponent(name)}`;
