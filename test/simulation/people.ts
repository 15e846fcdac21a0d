/** People: their numbers, every way in which somebody writes those down, and what they say. */
import type { Random } from './random';

interface Country {
  code: string;
  calling: string;
  /** What is dialed before a national number at home. */
  trunk: string;
  /** How mobile numbers start, and how many digits follow. */
  mobile: string[];
}

/** From the numbering plans of ITU-T E.164, independent of any library: code, calling code, trunk prefix, mobiles. */
const plans = `
  DE 49 0 1512+7 171+7 176+8
  NL 31 0 61+7 64+7
  GB 44 0 7400+6 7911+6
  FR 33 0 61+7 76+7
  ZA 27 0 82+7 72+7
  ID 62 0 812+8 8577+7
  XK 383 0 44+6 49+6
  IN 91 0 98+8 91+8
  BR 55 0 519912+5 119876+5
  CN 86 - 139+8 158+8
  CO 57 - 310+7 321+7
  SG 65 - 91+6 81+6
  US 1 - 202555+4 415555+4
  IT 39 - 347+7 328+7
  ES 34 - 612+6 699+6`;

export const countries = plans
  .trim()
  .split('\n')
  .map((line): Country => {
    const [code = '', calling = '', trunk = '', ...mobile] = line.trim().split(' ');
    return { code, calling, trunk: trunk.replace('-', ''), mobile };
  });

export interface Person {
  country: Country;
  national: string;
  /** E.164. */
  phone: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Set for a person who hides the number. */
  username: string | undefined;
  /** Whether the service knows the number all the same, so that a message to it reaches this person. */
  knows: boolean;
}

/** Invents a person. Namesakes are common, also of somebody known. */
export const inventPerson = (random: Random, known: readonly Person[] = []): Person => {
  const country = random.pick(countries);
  const [start = '', rest] = random.pick(country.mobile).split('+');
  const national = start + random.digits(Number(rest));
  const namesake = known.length > 0 && random.chance(0.2) ? random.pick(known) : undefined;
  const firstName = namesake?.firstName ?? random.pick(['Noor', 'Ann', 'Joanna', 'Lucía', 'Jun', 'Us']);
  const lastName = namesake?.lastName ?? random.pick(['Visser', 'Okafor', 'Tanaka']);
  const username = random.chance(0.2) ? `${firstName}.${random.digits(4)}`.toLowerCase() : undefined;
  // Families and shops share addresses.
  const email = `${firstName}.${lastName}${random.int(1, 3)}@example.com`.toLowerCase();
  const phone = `+${country.calling}${national}`;
  return { country, national, phone, firstName, lastName, email, username, knows: random.chance(0.5) };
};

/** Invents a person with a phone of Mexico. */
export const inventMexican = (random: Random): Person => {
  const country = { code: 'MX', calling: '52', trunk: '', mobile: ['55+8'] };
  const national = `55${random.digits(8)}`;
  return { ...inventPerson(random), country, national, phone: `+52${national}`, username: undefined };
};

/** Returns the same for both numbers of a phone: one of Brazil may lack its 9, and one of Mexico may have a 1. */
export const phoneOf = (number: unknown): string =>
  String(number)
    .replace(/^(\+55\d\d)9(?=\d{8}$)/, '$1')
    .replace(/^(\+52)1(?=\d{10}$)/, '$1');

/** Returns the other number of a phone that has two. */
export const otherNumberOf = (phone: string): string | undefined => {
  const other = phone.startsWith('+52') ? phone.replace('+52', '+521') : phoneOf(phone);
  return other === phone ? undefined : other;
};

export interface Spelling {
  text: string;
  /** The Default Country of the step; undefined when it's empty. */
  home: string | undefined;
  /** Whether the app must take it, may take it for this number alone, or must refuse it. */
  duty: 'take' | 'may' | 'refuse';
}

const separated = (random: Random, digits: string): string => {
  const separator = random.pick(['', '', ' ', '-', '.']);
  return `${digits.slice(0, 3)}${separator}${digits.slice(3, 6)}${separator}${digits.slice(6)}`;
};

/** What must send nothing: several numbers, one that can be two, and one that earns money for whoever gave it. */
const refused = [
  ['33612345678', 'IT'],
  ['846964923', 'VN'],
  ['0301234 0304567', 'DE'],
  ['3012345 3012346', 'DE'],
  ['030/12345 12346', 'DE'],
  ['+499001234567', undefined],
  ['+8816 1234 5678', 'NL'],
  ['+44 871 234 5678', undefined],
] as const;

/** Returns one of the ways in which people and spreadsheets write a number. */
export const spell = (random: Random, { country, national, phone }: Person): Spelling => {
  if (random.chance(0.12)) {
    const [text, home] = random.pick(refused);
    return { text, home, duty: 'refuse' };
  }
  const { calling, trunk, code } = country;
  const anyHome = random.pick([undefined, code, random.pick(countries).code]);
  const local = trunk + separated(random, national);
  const [strange, ending] = [
    random.pick(['\n', '\t', '²', '①']),
    random.pick(['\n12', '²', '⑦', ' ext. 5', ' / +12025550199']),
  ];
  const bracketed = trunk ? `(${trunk})${national}` : `(${national.slice(0, 3)}) ${national.slice(3)}`;
  const [text, home, duty] = random.pick<[string, string | undefined, Spelling['duty']]>([
    [phone, anyHome, 'take'],
    [phone, anyHome, 'take'],
    [`+${calling} ${separated(random, national)}`, anyHome, 'take'],
    [`+${calling} ${bracketed}`, anyHome, 'may'],
    [`00${calling}${separated(random, national)}`, anyHome, 'take'],
    [local, code, 'take'],
    [national, code, 'may'],
    [calling + national, code, 'may'],
    [local, undefined, 'refuse'],
    [phone.slice(0, 7) + strange + phone.slice(7), code, 'refuse'],
    [local + ending, code, 'refuse'],
  ]);
  return { text, home, duty };
};

/** What holds a word that says no, and doesn't say it. */
export const opposite = ["Please don't cancel", 'No cancelar'];

/** What a person writes: also words that a Zap looks for, and nothing. */
const lines = [
  ...['Yes please!', 'STOP', 'This is nonstop fun', 'When will it arrive?', 'ja, graag', 'please stop {{now}}'],
  ...['Two lines:\nyes and no', null],
];

/** Returns a line that a person writes. */
export const say = (random: Random): string | null => random.pick(lines);

/** Returns the files of a line, mostly none. */
export const attach = (random: Random): object[] =>
  random.chance(0.15)
    ? [{ type: 'image', url: 'https://files.service.test/1?size=2', name: random.pick(['a/b "c".jpg', null]) }]
    : [];
