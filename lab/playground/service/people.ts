/** The people whom the examples of other apps are about, and those who come after them. */

interface Person {
  first: string;
  last: string;
  /** The last digits of the phone number: all of them are in one area. */
  line: string;
}

const people: readonly Person[] = [
  { first: 'Noor', last: 'Visser', line: '0123' },
  { first: 'Sanne', last: 'Bakker', line: '0187' },
  { first: 'Emily', last: 'Chen', line: '0151' },
  { first: 'Olivia', last: 'Reed', line: '0152' },
  { first: 'Jack', last: 'Turner', line: '0153' },
  { first: 'Ava', last: 'Kim', line: '0102' },
  { first: 'Grace', last: 'Foster', line: '0141' },
  { first: 'Mateo', last: 'Rivera', line: '0142' },
  { first: 'Hanna', last: 'Vogel', line: '0144' },
  { first: 'Liam', last: 'Carter', line: '0145' },
  { first: 'Camille', last: 'Moreau', line: '0146' },
  { first: 'Ethan', last: 'Brooks', line: '0147' },
  { first: 'Zofia', last: 'Nowak', line: '0148' },
  { first: 'Maya', last: 'Nguyen', line: '0149' },
];

/** How many people the examples are about. */
const inExamples = 6;

const others = people.slice(inExamples);

/** The name of the person with this phone number, if an example is about one. */
export const nameOfPerson = (phone: string): string | undefined => {
  const person = people.find(({ line }) => phone === `+1202555${line}`);
  return person && `${person.first} ${person.last}`;
};

const inCaseOf = (before: string, name: string): string =>
  before === before.toLowerCase() ? name.toLowerCase() : name;

/** A text about another person, if it names one of the people in the examples. */
const asOther = (text: string, other: Person): string =>
  people.slice(0, inExamples).reduce(
    (changed, { first, last, line }) =>
      changed
        .replaceAll(new RegExp(`\\b${first}\\b`, 'gi'), (name) => inCaseOf(name, other.first))
        .replaceAll(new RegExp(`\\b${last}\\b`, 'gi'), (name) => inCaseOf(name, other.last))
        .replaceAll(new RegExp(`(202\\D{0,2}555\\D?)${line}$`, 'g'), `$1${other.line}`),
    text,
  );

/** A text with the name or the phone number of another person, if it has one of a person in the examples. */
export const asPerson = (text: string, number: number): string => {
  const other = others[(number - 1) % others.length];
  return other ? asOther(text, other) : text;
};

/** A text about the person whom these texts name, if it's about one of the people in the examples. */
export const asPersonIn = (text: string, texts: readonly string[]): string => {
  const other = people.find(({ first }) => texts.some((each) => new RegExp(`\\b${first}\\b`, 'i').test(each)));
  return other ? asOther(text, other) : text;
};
