import { brand } from '../../src/brand';
import type { Recipe } from './recipe';

/**
 * The words that operators ask for in the United States, and those of other languages. Without "cancel" and "end", which
 * also answer a reminder.
 */
const stopWords = [
  ...['STOP', 'STOP ALL', 'STOPALL', 'UNSUBSCRIBE', 'OPT OUT', 'OPTOUT', 'QUIT', 'REVOKE', 'Stop messaging me'],
  ...['Stopp', 'Abmelden', 'Abbestellen', 'Afmelden', 'Uitschrijven', 'Arrêt', 'Désabonner', 'Désinscription'],
  ...['Baja', 'Darme de baja', 'Alto', 'Parar', 'Sair', 'Cancelar inscrição', 'Disiscrivi', 'Cancellami'],
];

const customer = '+12025550187';

export const stopOptOut: Recipe = {
  name: 'Opt out people who write STOP',
  group: 'Safety nets',
  line: 'Send nothing more to people who write STOP.',
  title: `Update ${brand.name} contacts for new inbound messages that say STOP`,
  description: `People who ask you to stop must not get another message. This automation finds everyone who replies STOP in ${brand.name} and marks the contact as opted out. Nobody has to keep a list by hand.`,
  watchOut:
    'Only a message that is exactly one of these words counts, so "Can you stop by?" opts nobody out. Add other words that your customers use, one per box. An opted-out contact gets no templates at all, also no reminders.',
  steps: [
    { type: 'app', operation: 'triggers.message_received', values: { contains: stopWords, match: 'exact' } },
    { type: 'app', operation: 'creates.update_contact', values: { contact: '{{1.contact.id}}', consent: 'opted_out' } },
  ],
  examples: [
    {
      name: 'a customer asks a question, then says stop',
      before: [
        { type: 'contact is added', contact: { phone: customer, first_name: 'Sanne', consent: 'opted_in' } },
        { type: 'customer writes', phone: customer, text: 'Can you stop at the neighbors?' },
        { type: 'customer writes', phone: customer, text: 'Stop' },
      ],
      outcome: { contacts: [{ phone: customer, first_name: 'Sanne', consent: 'opted_out' }] },
    },
  ],
};
