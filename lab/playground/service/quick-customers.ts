import { specialNumbers } from '../../sandbox/domain/phone-numbers';

/** What a new customer writes. It starts the Zap that the page begins with. */
export const firstMessage = 'Hello, when are you open?';

/** Customers whose messages have a special outcome. Nobody knows the name of one who hides the number. */
export const quickCustomers = [
  { phone: specialNumbers.replies, name: 'Rosa Lind', label: 'Always replies' },
  { phone: specialNumbers.neverReads, name: 'Omar Haddad', label: 'Never reads' },
  { phone: specialNumbers.failsLater, name: 'Ava Kim', label: 'Messages fail later' },
  { phone: specialNumbers.optedOut, name: 'Tom Becker', label: 'Has opted out' },
  { phone: specialNumbers.unreachable, name: 'Ines Costa', label: "Can't be reached" },
  { phone: '@mila.h', name: '', label: 'Hides the number' },
] as const;
