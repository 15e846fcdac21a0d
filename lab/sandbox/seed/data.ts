/** The seed data of a parcel delivery company. */
import type { Template } from '../../../src/api/resources';
import type { Attachment } from '../domain/files';

interface Country {
  language: string;
  /** The area code of the customers' phone numbers, which are American because 555-01xx is reserved for fiction. */
  areaCode: number;
  firstNames: readonly string[];
  lastNames: readonly string[];
}

const netherlands: Country = {
  language: 'nl',
  areaCode: 212,
  firstNames: ['Noor', 'Daan', 'Sanne', 'Bram', 'Femke', 'Thijs', 'Lotte', 'Joris'],
  lastNames: ['Visser', 'de Jong', 'Bakker', 'Mulder', 'van Dijk', 'Smit', 'Postma', 'Hoekstra'],
};

/** Where the customers' names come from. The Netherlands is listed twice because most of them live there. */
export const countries: readonly Country[] = [
  netherlands,
  netherlands,
  {
    language: 'de',
    areaCode: 415,
    firstNames: ['Hanna', 'Lukas', 'Mia', 'Felix', 'Jana', 'Moritz', 'Greta', 'Anton'],
    lastNames: ['Müller', 'Schäfer', 'Weber', 'Köhler', 'Vogel', 'Krause', 'Brandt', 'Lorenz'],
  },
  {
    language: 'fr',
    areaCode: 503,
    firstNames: ['Camille', 'Hugo', 'Manon', 'Théo', 'Inès', 'Louis', 'Chloé', 'Rémi'],
    lastNames: ['Martin', 'Lefèvre', 'Moreau', 'Garnier', 'Rousseau', 'Blanc', 'Fontaine', 'Marchand'],
  },
  {
    language: 'pl',
    areaCode: 206,
    firstNames: ['Zofia', 'Jakub', 'Maja', 'Filip', 'Oliwia', 'Szymon', 'Kinga', 'Tomasz'],
    lastNames: ['Nowak', 'Wójcik', 'Kamińska', 'Zając', 'Pawlak', 'Król', 'Wróbel', 'Stępień'],
  },
  {
    language: 'en',
    areaCode: 303,
    firstNames: ['Emma', 'Liam', 'Ava', 'Noah', 'Maya', 'Ethan', 'Grace', 'Mateo'],
    lastNames: ['Johnson', 'Nguyen', 'Carter', 'Rivera', 'Brooks', 'Kim', 'Foster', 'Hayes'],
  },
];

type TextField = 'name' | 'channel' | 'language' | 'status' | 'category' | 'body';
type TemplateSeed = Record<TextField, string> & { variables?: Template['variables'] } & Pick<
    Template,
    'header' | 'footer' | 'buttons'
  >;

const variable = (name: string, label: string, format: string, example: string, required = true) => ({
  name,
  label,
  example,
  format,
  required,
});

const parcelNumber = variable('parcel_id', 'Parcel Number', 'text', 'PX-20418');
const arrivalTime = variable('arrival_time', 'Arrival Time', 'time', '14:30');
const firstName = (example: string) => variable('first_name', 'First Name', 'text', example);

const utility = { channel: 'whatsapp', status: 'approved', category: 'utility', buttons: [] };
const english = { ...utility, language: 'en' };
const dutch = { ...utility, language: 'nl' };
/** Goes to everybody with the same words. */
const promotion = { ...english, category: 'marketing', variables: [] };

const parcelPoint = variable('parcel_point', 'Parcel Point', 'text', 'Quay Street 12');
const pickupDate = variable('pickup_date', 'Pickup Date', 'date', '2026-06-19');

/** One template on two channels, on one of them in three languages with other variables. */
const parcelReady = [
  {
    ...english,
    channel: 'sms',
    body: 'Parcel {{parcel_id}} is ready. Your code is {{pickup_code}}.',
    variables: [parcelNumber, variable('pickup_code', 'Pickup Code', 'text', '4711')],
  },
  {
    ...utility,
    language: 'de',
    body: 'Ihr Paket {{parcel_id}} liegt für Sie bereit: {{parcel_point}}.',
    variables: [
      { ...parcelNumber, label: 'Paketnummer' },
      { ...parcelPoint, label: 'Paketshop' },
    ],
  },
  {
    ...dutch,
    body: 'Uw pakket {{parcel_id}} ligt tot en met {{pickup_date}} klaar bij {{parcel_point}}.',
    variables: [
      { ...parcelNumber, label: 'Pakketnummer' },
      { ...pickupDate, label: 'Afhaaldatum' },
      { ...parcelPoint, label: 'Pakketpunt' },
    ],
  },
  {
    ...english,
    body: 'Your parcel {{parcel_id}} is ready at {{parcel_point}}. We keep it until {{pickup_date}}.',
    variables: [parcelNumber, parcelPoint, pickupDate],
  },
].map((each): TemplateSeed => ({ ...each, name: 'parcel_ready' }));

/** One template on two channels with the same text. */
const orderConfirmed: readonly TemplateSeed[] = ['sms', 'whatsapp'].map((channel) => ({
  ...english,
  channel,
  name: 'order_confirmed',
  body: "Thank you for order {{order_number}}, {{first_name}}! We'll tell you when it's on its way.",
  variables: [firstName('Noor'), variable('order_number', 'Order Number', 'text', '1042')],
}));

/** Oldest first. */
export const templates: readonly TemplateSeed[] = [
  {
    ...promotion,
    name: 'summer_promotion',
    status: 'pending',
    body: 'This summer every second parcel travels at half the price.',
  },
  {
    ...promotion,
    name: 'opening_hours',
    body: 'From June our parcel points are open until 21:00, on Saturdays too.',
  },
  {
    ...promotion,
    name: 'opening_hours_reminder',
    body: 'Just a reminder: our parcel points are now open until 21:00, on Saturdays too.',
  },
  {
    ...promotion,
    name: 'opening_hours_sms',
    channel: 'sms',
    body: 'Our parcel points are now open until 21:00, on Saturdays too.',
  },
  {
    ...promotion,
    language: 'nl',
    name: 'openingstijden',
    body: 'Vanaf juni zijn onze pakketpunten open tot 21:00 uur, ook op zaterdag.',
  },
  {
    ...english,
    name: 'answer_to_question',
    body: 'Thank you for your question. {{answer}} Can we help you with anything else?',
    variables: [variable('answer', 'Answer', 'text', 'Yes, we are open until 21:00.')],
  },
  {
    ...english,
    name: 'customs_charge',
    body: 'Customs asks {{amount}} euro for your parcel {{parcel_id}}. You can pay at {{payment_link}}.',
    variables: [
      parcelNumber,
      variable('amount', 'Amount', 'number', '12.50'),
      variable('payment_link', 'Payment Link', 'url', 'https://pay.example.com/PX-20418'),
    ],
  },
  {
    ...english,
    name: 'delivery_rescheduled',
    body: 'We will bring your parcel {{parcel_id}} on {{new_date}}. {{note}}',
    variables: [
      parcelNumber,
      variable('new_date', 'New Date', 'date', '2026-06-12'),
      variable('note', 'Note', 'text', 'The driver rings twice.', false),
    ],
  },
  {
    ...english,
    name: 'parcel_sms',
    channel: 'sms',
    body: 'Parcel {{parcel_id}} arrives at about {{arrival_time}}.',
    variables: [parcelNumber, arrivalTime],
  },
  ...parcelReady,
  {
    ...english,
    name: 'appointment_reminder',
    header: { type: 'image' },
    body: 'Hi {{first_name}}, we look forward to seeing you on {{appointment}}. Can you come?',
    footer: 'Lakeside Dental',
    buttons: [
      { type: 'quick_reply', text: 'Confirm' },
      { type: 'quick_reply', text: 'Cancel' },
    ],
    variables: [
      variable('picture', 'Picture', 'image', 'https://files.example.com/lakeside-dental.jpg'),
      firstName('Emily'),
      variable('appointment', 'Appointment', 'text', 'Friday, June 12, 2:30 PM'),
    ],
  },
  {
    ...english,
    name: 'appointment_tomorrow',
    body: 'Hi {{first_name}}, a reminder of your appointment on {{date}} at {{time}}. Call us if you have to move it.',
    variables: [
      firstName('Emily'),
      variable('date', 'Date', 'text', 'June 12, 2026'),
      variable('time', 'Time', 'time', '14:30'),
    ],
  },
  {
    ...english,
    name: 'invoice_ready',
    header: { type: 'document' },
    body: 'Your invoice {{invoice_number}} for {{amount}} is ready.',
    buttons: [{ type: 'url', text: 'Pay online', url: 'https://pay.example.com/{{invoice_number}}' }],
    variables: [
      variable('invoice', 'Invoice', 'document', 'https://files.example.com/invoice-1042.pdf'),
      variable('invoice_number', 'Invoice Number', 'text', '1042'),
      variable('amount', 'Amount', 'text', 'USD 59.90'),
    ],
  },
  ...orderConfirmed,
  {
    ...english,
    name: 'missed_call',
    body: "Sorry we missed your call! We're with a client right now. Reply here, and we'll answer as soon as we can.",
    footer: 'Quay Street Salon',
    variables: [],
  },
  {
    ...english,
    name: 'trial_lesson',
    category: 'marketing',
    body: 'Hi {{first_name}}, thank you for asking about {{lesson}}! When may we call you?',
    footer: 'Quay Street Gym',
    variables: [firstName('Jack'), variable('lesson', 'Lesson', 'text', 'a free trial lesson')],
  },
  {
    ...english,
    name: 'parcel_on_its_way',
    header: { type: 'text', text: 'Parcel {{parcel_id}}' },
    body: 'It is on its way to you.',
    footer: 'Harbor Parcels',
    buttons: [{ type: 'url', text: 'Follow it', url: 'https://track.example.com/{{parcel_id}}' }],
  },
  // As most services list it: with numbers, and without a word on them.
  {
    ...english,
    name: 'appointment_confirmed',
    body: 'Hi {{1}}, your appointment with {{2}} is confirmed. See you soon!',
    footer: 'Quay Street Salon',
  },
  {
    ...english,
    name: 'return_steps',
    category: 'marketing',
    header: { type: 'video' },
    body: 'Here is how to send {{product}} back to us.',
    variables: [
      variable('film', 'Film', 'video', 'https://files.example.com/returns.mp4'),
      variable('product', 'Product', 'text', 'Rain jacket'),
    ],
  },
  {
    ...english,
    name: 'parcel_delivered',
    body: 'Your parcel {{parcel_id}} was delivered. See the proof at {{tracking_link}}.',
    variables: [parcelNumber, variable('tracking_link', 'Tracking Link', 'url', 'https://track.example.com/PX-20418')],
  },
  {
    ...dutch,
    name: 'pakket_onderweg',
    body: 'Uw pakket {{pakketnummer}} komt vandaag om ongeveer {{aankomsttijd}} uur.',
    variables: [
      variable('pakketnummer', 'Pakketnummer', 'text', 'PX-20418'),
      variable('aankomsttijd', 'Aankomsttijd', 'time', '14:30'),
    ],
  },
  {
    ...english,
    name: 'parcel_out_for_delivery',
    body: 'Your parcel {{parcel_id}} arrives today at about {{arrival_time}}.',
    variables: [parcelNumber, arrivalTime],
  },
];

/** One campaign in each status. `audience` is the tag of its contacts. */
export const campaigns = [
  { name: 'Summer opening hours', template: 'opening_hours', audience: 'newsletter', status: 'completed' },
  { name: 'Weekend parcel points', template: 'opening_hours', audience: 'parcel-customer', status: 'draft' },
  { name: 'Zomertijden', template: 'openingstijden', audience: 'dutch-newsletter', status: 'failed' },
  { name: 'Evening delivery survey', template: 'opening_hours', audience: 'parcel-customer', status: 'sending' },
  { name: 'Holiday closing', template: 'openingstijden', audience: 'dutch-newsletter', status: 'canceled' },
  { name: 'Autumn opening hours', template: 'opening_hours', audience: 'newsletter', status: 'scheduled' },
] as const;

/** A customer who hides the phone number behind a username. */
export const hiddenCustomer = {
  username: 'lotte.p',
  known: { first_name: 'Lotte', language: 'nl', tags: ['parcel-customer'] },
  question: 'Can I pick up my parcel today?',
  reply: 'Yes, until 21:00.',
  thanks: 'Thank you!',
};

/** Questions of customers, the replies of a colleague, and what the customer then sends, if anything. */
export const questions: readonly (readonly [question: string, reply: string, then?: Attachment])[] = [
  ['Can you leave it with the neighbors?', 'Of course, the driver knows.'],
  ['I am not home before six.', 'Then we come between 18:00 and 20:00.'],
  ['Where is my parcel?', 'It is in the van and will be with you this afternoon.'],
  [
    'The box was wet.',
    'We are sorry about that. Could you send us a photo?',
    { type: 'image', name: 'damaged-parcel.jpg' },
  ],
  ['Can you come tomorrow?', 'Yes, we come tomorrow morning.'],
  ['Could you put it in the shed?', 'Yes, the driver will leave it there.'],
  ['Thank you, it arrived.', 'You are welcome!'],
  [
    'Which parcel point is nearest?',
    'The one at Quay Street 12, open until 21:00.',
    { type: 'audio', name: 'voice-message.ogg' },
  ],
];
