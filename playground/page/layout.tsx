import type { Child } from 'hono/jsx';
import { brand } from '../../src/brand';

const config = JSON.stringify({
  extensions: 'sse',
  includeIndicatorCSS: false,
  // What a person opened stays open when the part around it changes.
  morphIgnore: ['data-htmx-powered', 'data-seen', 'open'],
  sse: { reconnectMaxDelay: 2000 },
});

/** The whole document. */
export const Layout = ({ children }: { children: Child }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={config} />
      <title>{`Playground · ${brand.name}`}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/assets/pico.css" />
      <link rel="stylesheet" href="/assets/brand.css" />
      <link rel="stylesheet" href="/assets/style.css" />
      <script src="/assets/htmx.js" defer />
      <script src="/assets/sse.js" defer />
      <script src="/assets/page.js" defer />
    </head>
    <body>
      <a class="skip" href="#zap">
        Skip to the Zap
      </a>
      <header>
        <h1>{brand.name}</h1>
        <p>Playground</p>
        <nav aria-label="Parts of the page">
          <a href="#phones">Phones</a>
          <a href="#zap">Zap</a>
          <a href="#activity">Activity</a>
        </nav>
      </header>
      <p id="offline" role="alert" hidden>
        The playground isn't running. Start it again, and this page reconnects.
      </p>
      <p id="failure" class="problem" role="alert" />
      {children}
      <div hx-sse:connect="/live" hx-trigger="load, every 3s" hx-swap="none" />
    </body>
  </html>
);
