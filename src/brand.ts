/** Where people use the service in the browser. */
const app = 'https://app.example.com';

/** The publisher's details. No other file contains the name or an address of the service. */
export const brand = {
  name: 'Messaging Service',
  /** One sentence for the app directory: `<name> is a …`, 40 to 140 characters, without the word Zapier. */
  description: 'Messaging Service is a platform for talking with customers on messaging apps and by text message.',
  /** The main color of the logo, which the app directory puts around it. */
  color: '#0f6fa8',
  homepage: 'https://www.example.com',
  privacy: 'https://www.example.com/privacy',
  terms: 'https://www.example.com/terms',
  app,
  /** The page that explains how to connect an account. */
  help: 'https://help.example.com/connect',
  support: 'support@example.com',
  /** Whom people write to about security and conduct. Customer support must not read these messages. */
  maintainers: 'maintainers@example.com',
  /** The page where people create API tokens and set their scopes. */
  tokenPage: `${app}/settings/api-tokens`,
  /**
   * The address of the API, if all accounts share it: then the account doesn't ask for it. Empty, because each account is
   * assumed to have its own: the specification says "Base address: {base_url}" and no more.
   */
  sharedApi: '',
  /** An example of an API Base URL. */
  api: 'https://api.example.com',
} as const;
