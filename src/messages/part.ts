/** Texts of people as parts of lines that later steps post to chats and give to AI steps. */
import { toOneLine } from '../formats/text';

/** Characters that nobody sees, and that an AI step reads as letters. */
const tags = /[\u{e0000}-\u{e007f}]/gu;

/** How Slack spells mentions, such as `<!channel>`, and links that show another text, such as `<https://…|bank>`. */
const slackCommand = /<(?=[!@#]|[^>|\s]{1,2000}\|)/g;

/** Words that notify everybody where a chat links names. */
const broadcast = /@(?=(?:channel|here|everyone)\b)/gi;

/** The middle of a Markdown link, which shows another text than its address. */
const markdownLink = /\](?=\()/g;

/**
 * Returns a text of somebody as one line of at most about `max` characters, which no chat takes for a mention or for a link
 * that shows another text, and which says the same to people and AI steps.
 */
export const toPart = (text: string, max: number): string =>
  toOneLine(text.replace(tags, ''), max)
    .replace(slackCommand, '‹')
    .replace(broadcast, '＠')
    .replace(markdownLink, '］');
