import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from 'hono/html';
import { tools } from '../../../zapier/kinds';

const lucide = [
  'arrow-down',
  'arrow-up',
  'ban',
  'book-open',
  'check',
  'check-check',
  'chevron-down',
  'chevron-up',
  'circle-alert',
  'circle-check',
  'circle-dashed',
  'circle-x',
  'clock',
  'copy',
  'ellipsis',
  'external-link',
  'eye',
  'file-text',
  'flask-conical',
  'image',
  'layout-grid',
  'loader-circle',
  'message-circle',
  'phone',
  'play',
  'plus',
  'power',
  'redo-2',
  'reply',
  'rotate-ccw',
  'search',
  'send',
  'store',
  'trash-2',
  'undo-2',
  'user-plus',
  'x',
  'zap',
] as const;

/** A Lucide icon that the page uses. */
export type IconName = (typeof lucide)[number];

/** The logos that have a place in a step's card, by the app. Other apps have their initials. */
export const logos: Readonly<Record<string, string>> = {
  Calendly: 'calendly',
  'Facebook Lead Ads': 'facebook',
  Gmail: 'gmail',
  'Google Calendar': 'googlecalendar',
  'Google Sheets': 'googlesheets',
  HubSpot: 'hubspot',
  Mailchimp: 'mailchimp',
  'Schedule by Zapier': 'zapier',
  Shopify: 'shopify',
};

const folderOf = (library: string): string => join(__dirname, '../../../../node_modules', library, 'icons');

/** The shapes of an icon, without the element around them. */
const readShapes = (library: string, name: string): string => {
  const svg = readFileSync(join(folderOf(library), `${name}.svg`), 'utf8');
  return svg
    .slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
    .replace(/<title>.*?<\/title>/, '');
};

const symbol = (library: string, name: string): string =>
  `<symbol id="icon-${name}" viewBox="0 0 24 24">${readShapes(library, name).replaceAll(/\s+/g, ' ').trim()}</symbol>`;

const symbols = [
  ...[...new Set([...lucide, ...tools.map(({ icon }) => icon)])].map((name) => symbol('lucide-static', name)),
  ...Object.values(logos).map((name) => symbol('simple-icons', name)),
].join('');

/** Every icon, once, for the parts of the page to refer to. */
export const Sprite = () => (
  <svg class="sprite" aria-hidden="true">
    {raw(symbols)}
  </svg>
);

const Drawn = ({ name, look }: { name: string; look: string }) => (
  <svg class={look} aria-hidden="true">
    <use href={`#icon-${name}`} />
  </svg>
);

/** An icon. The text beside it, or the name of its button, says what it means. */
export const Icon = ({ name }: { name: IconName }) => <Drawn name={name} look="icon" />;

/** The logo of the app itself, as Zapier's app directory shows it. */
export const OwnLogo = () => <img class="own-logo" src="/assets/logo.svg" alt="" />;

/** The icon of one of Zapier's own apps. */
export const ToolIcon = ({ name }: { name: string }) => <Drawn name={name} look="icon" />;

/** The logo of another app, in the color of its tile. */
export const Logo = ({ name }: { name: string }) => <Drawn name={name} look="icon logo" />;
