/** Where people use the service in the browser. */
const app = 'https://app.example.com';

/** What a publisher fills in. No other file names the service or an address of it. */
export const brand = {
  name: 'Messaging Service',
  /** One sentence for the app directory: `<name> is a …`, 40 to 140 characters, without the word Zapier. */
  description: 'Messaging Service is a platform for talking with customers on messaging apps and by text message.',
  /** The main colour of the logo, which the app directory puts around it. */
  color: '#0f6fa8',
  homepage: 'https://www.example.com',
  app,
  /** Where people read how to connect their account. */
  help: 'https://help.example.com/connect',
  support: 'support@example.com',
  /** Where a person makes an API token and sets its scopes. */
  tokenPage: `${app}/settings/api-tokens`,
  /** What an API Base URL looks like; each account has its own. */
  api: 'https://api.example.com',
} as const;
