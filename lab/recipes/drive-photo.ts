import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';
const photo = { type: 'image', name: 'damaged-parcel.jpg' } as const;

export const drivePhoto: Recipe = {
  name: 'Photos in Google Drive',
  group: 'Questions',
  line: 'Keep each photo where your team works.',
  title: `Upload photos from new ${brand.name} inbound messages to Google Drive`,
  description: `A photo of a damaged parcel is evidence, but its link stops working after a while. This integration uploads the photo from every new inbound message in ${brand.name} to a folder in Google Drive, with the sender and the date in its name. Your claims team finds it in its own folder.`,
  watchOut:
    'Zapier uploads the first photo of a message. If your customers send several at once, add Looping by Zapier before Google Drive. Everyone who can open the folder sees what your customers sent.',
  steps: [
    { type: 'app', operation: 'triggers.message_received' },
    {
      type: 'filter',
      rules: [{ value: '{{1.attachments.0.type}}', condition: '(Text) Exactly matches', text: 'image' }],
    },
    other('Google Drive', 'Upload File', {
      fields: {
        File: '{{1.attachments.0.file}}',
        'File Name': '{{1.contact.first_name}} {{1.contact.username}} {{1.from}} {{1.created_at}}',
      },
    }),
  ],
  examples: [
    {
      name: 'a customer sends a photo',
      before: [{ type: 'customer writes', phone: customer, text: 'The box was wet.', attachments: [photo] }],
      outcome: {
        received: [{ app: 'Google Drive', fields: { File: '(Exists but not shown)', 'File Name': customer } }],
      },
    },
    {
      name: 'a customer who has no name and hides the phone number sends a photo',
      before: [{ type: 'customer writes', phone: '@lena.m', text: '', attachments: [photo] }],
      outcome: {
        received: [{ app: 'Google Drive', fields: { File: '(Exists but not shown)', 'File Name': 'lena.m' } }],
      },
    },
    {
      name: 'a customer sends only a text',
      before: [{ type: 'customer writes', phone: customer, text: 'The box was wet.' }],
      outcome: {},
    },
  ],
};
