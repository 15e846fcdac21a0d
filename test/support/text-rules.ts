/** What a machine can see of the rules for words: patterns that no text of the product or of a page has. */

interface TextRule {
  says: string;
  breach: RegExp;
  /** A text that breaks the rule. */
  example: string;
}

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';

export const textRules: TextRule[] = [
  {
    says: '"such as" comes before a noun, and "for example" before anything else',
    breach:
      /\bsuch as (?:from|when|in|on|at|by|after|before|with|for|if|to|because|while|during|start|send|write|add|create|open)\b/,
    example: 'Start a new run, such as with a new row.',
  },
  {
    says: 'what is known or safe, or what could mean two things, is called that',
    breach:
      /(?:\b(?:is|are|be|isn't|aren't)|\w's) (?:certain|clear)\b|\ba clear\b|\bno certain\b|\b(?:one|what is) certain\b/,
    example: '"06/07/2026" isn\'t a clear date.',
  },
  {
    says: 'a sentence has its subject first, and no clause with "What" or "Which" in its place',
    breach: /(?:^|[.!] )(?:What|Which) (?:[\w']+ ){1,4}(?:is|are|does|comes?|stays?|goes) \w[^.?!]*\./,
    example: 'What ships is small.',
  },
  {
    says: 'spelling is American',
    breach:
      /\b(?:neighbou?r(?<=our)s?|harbour|colou?r(?<=our)(?:s|ed)?|behaviour|favourite|centre|organis\w+|recognis\w+|cancelled|cancelling|licence|catalogue|travell\w+)\b/i,
    example: 'Can you leave it with the neighbours?',
  },
  {
    says: 'dates are American',
    breach: new RegExp(`\\b\\d{1,2} (?:${months})\\b`),
    example: 'It could be 6 July or 7 June.',
  },
  {
    says: 'no word comes twice in a row',
    breach: /\b(\p{L}+) \1\b/iu,
    example: 'The the parcel.',
  },
  {
    says: 'no text says "anew", "gets none" or "finds no one"',
    breach: /\banew\b|\bgets? none\b|\bfinds no one\b/,
    example: 'Who opted out gets none.',
  },
  {
    says: 'a definition says what one does with a value, and not that it identifies something',
    breach: /(?:^|: )(?:Identifies (?:the|a|an|this|its)\b|Whether [^.]*: true or false)/,
    example: 'Identifies the message.',
  },
  {
    says: 'a sentence has no "With X," in place of its condition',
    breach: /\bWith [^,.]{1,40}, (?:x|`[^`]*`|that|this) works\b/,
    example: 'With the United States, `(202) 555-0123` works.',
  },
  {
    says: 'a trigger fires, and a Zap runs',
    breach:
      /\b(?:New Contact|Message Failed|Message Status Updated|New Inbound Message|New Outbound Message|[Tt]riggers of \w+) starts? (?!an? |the |once|it\b)|\bstarts? on \w+ed\b/,
    example: 'New Contact starts within 15 minutes.',
  },
];
