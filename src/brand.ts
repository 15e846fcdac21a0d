/** What a publisher fills in. No other file names the service or an address of it. */
export const brand = {
  name: 'Messaging Service',
  /** Where a person makes an API token and sets its scopes. */
  tokenPage: 'https://app.example.com/settings/api-tokens',
};
