import type { Child } from 'hono/jsx';
import { brand } from '../../../src/brand';
import { Button } from './elements/button';
import { Sprite } from './elements/icon';
import { Picker } from './panel/mappings';

const config = JSON.stringify({
  extensions: 'sse',
  includeIndicatorCSS: false,
  history: false,
  // When the part around it changes, what a person opened stays open, and a button that works stays disabled.
  morphIgnore: ['data-htmx-powered', 'data-seen', 'open', 'disabled'],
  sse: { reconnectMaxDelay: 2000 },
});

/** The places of the page. A narrow screen shows one at a time. */
export const tabs = ['zap', 'step', 'phone', 'story'] as const;
export type Tab = (typeof tabs)[number];

const tabTitles: Record<Tab, string> = { zap: 'Zap', step: 'Step', phone: 'Phone', story: 'Activity' };

const Tabs = ({ shown }: { shown: Tab }) => (
  <nav id="tabs" aria-label="Places of the page" data-address={shown === 'zap' ? '' : `tab=${shown}`}>
    {tabs.map((tab) => (
      <Button class="quiet" data-tab={tab} aria-current={tab === shown ? 'true' : 'false'}>
        {tabTitles[tab]}{' '}
        <span class="unread" hidden>
          <span />
          <span class="visually-hidden"> new</span>
        </span>
      </Button>
    ))}
  </nav>
);

interface LayoutProps {
  tab: Tab;
  /** The bar, the canvas and the panel. */
  zap: Child;
  simulate: Child;
  phone: Child;
  story: Child;
}

const Alerts = () => (
  <>
    <noscript class="alert">This page needs JavaScript. Turn it on in your browser, then reload the page.</noscript>
    <p id="offline" class="alert" role="alert" hidden>
      The playground isn't running. Start it again with <code>npm start</code>, and this page reconnects.
    </p>
    <p id="failure" class="alert" role="alert" />
  </>
);

/** The whole document. Each place scrolls by itself, and the document doesn't. */
export const Layout = ({ tab, zap, simulate, phone, story }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={config} />
      <title>{`Playground · ${brand.name}`}</title>
      <link rel="icon" href="/assets/logo.svg" />
      <link rel="preload" href="/assets/inter.woff2" as="font" type="font/woff2" crossorigin="anonymous" />
      <link rel="stylesheet" href="/assets/style.css" />
    </head>
    <body data-tab={tab}>
      <Sprite />
      <a class="skip" href="#canvas">
        Skip to the Zap
      </a>
      <main>
        {zap}
        <div class="notices">
          <Alerts />
          {simulate}
        </div>
        <Tabs shown={tab} />
        {phone}
        {story}
      </main>
      <dialog id="dialog" aria-labelledby="sheet-title">
        <div id="sheet" />
      </dialog>
      <Picker />
      <div hx-sse:connect="/live" hx-trigger="load, every 3s" hx-swap="none" />
      {/* At the end and without `defer`: the page is visible first, and htmx starts after its extension is there. */}
      <script src="/assets/htmx.js" />
      <script src="/assets/sse.js" />
      <script src="/assets/page.js" />
    </body>
  </html>
);
