import { raw } from 'hono/html';
import markdownIt from 'markdown-it';

// Escapes HTML, and drops links to anything but web pages and mail.
const renderer = markdownIt({ html: false, linkify: false });

/** A help text as the editor renders it. */
export const Markdown = ({ children }: { children: string }) => (
  <div class="help">{raw(renderer.render(children.slice(0, 2000)))}</div>
);
