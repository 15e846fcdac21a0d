import type { Child } from 'hono/jsx';
import { brand } from '../../src/brand';

const config = JSON.stringify({
  extensions: 'sse',
  includeIndicatorCSS: false,
  history: false,
  // When the part around it changes, what a person opened stays open, and a button that works stays disabled.
  morphIgnore: ['data-htmx-powered', 'data-seen', 'open', 'disabled'],
  sse: { reconnectMaxDelay: 2000 },
});

/** The whole document. */
export const Layout = ({ toolbar, children }: { toolbar: Child; children: Child }) => (
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
    </head>
    <body>
      <a class="skip" href="#zap">
        Skip to the Zap
      </a>
      <header>
        <h1>
          {brand.name} <small>Playground</small>
        </h1>
        <nav aria-label="Parts of the page">
          <a href="#phones">Phones</a>
          <a href="#zap">Zap</a>
          <a href="#activity">Activity</a>
        </nav>
        {toolbar}
      </header>
      <noscript class="alert">This page needs JavaScript. Turn it on in your browser, then reload the page.</noscript>
      <p id="offline" class="alert" role="alert" hidden>
        The playground isn't running. Start it again with <code>npm start</code>, and this page reconnects.
      </p>
      <p id="failure" class="alert" role="alert" />
      {children}
      <div hx-sse:connect="/live" hx-trigger="load, every 3s" hx-swap="none" />
      {/* At the end and without `defer`: the page is visible first, and htmx starts after its extension is there. */}
      <script src="/assets/htmx.js" />
      <script src="/assets/sse.js" />
      <script src="/assets/page.js" />
    </body>
  </html>
);
