import { BlockList } from 'node:net';
import { brand } from '../brand';
import { fail, reconnect } from '../platform/errors';

/** A connection that is safe to use: where the API is (no trailing slash, no `/v1`) and the token as it is sent. */
export interface Connection {
  baseUrl: string;
  token: string;
}

/** A host that is an address: `URL` writes every IPv4 address as four numbers, and only an IPv6 one with colons. */
const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);

const family = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

const refuse = (reason: string): Error => fail(`API Base URL: ${reason}`, 'base_url_refused');

/** Every range that is not public (IANA special-purpose registries), cloud metadata addresses among them. */
const notPublic = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const isPublic = (address: string): boolean => {
  const list = new BlockList();
  for (const range of notPublic) {
    const [network = '', bits] = range.split('/');
    // An IPv4 address is also checked against IPv6 ranges, as `::ffff:…`, which is not meant here.
    if (family(network) === family(address)) list.addSubnet(network, Number(bits), family(network));
  }
  return !list.check(address, family(address));
};

/** Whether this machine itself answers there, by any name that `URL` leaves of it. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);

/** Names that lead inside a network. A public name has a dot; an intranet's or a metadata service's need not. */
const insideName =
  /^[^.]*$|^metadata\.|\.(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|svc)$/;

/** In AWS Lambda loopback is Lambda's own control port. Zapier runs the app there. */
const inLambda = (): boolean =>
  ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_RUNTIME_API', 'LAMBDA_TASK_ROOT'].some((name) => process.env[name]);

const checkHost = (hostname: string): 'public' | 'loopback' | 'inside' => {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isLoopback(name)) return 'loopback';
  if (isAddress(name)) return isPublic(name) ? 'public' : 'inside';
  return insideName.test(name) ? 'inside' : 'public';
};

/**
 * Reads the API Base URL as people paste it: with a trailing slash or `/v1`, or without `https://`. Throws a sentence
 * that says why for anything the token must not be sent to.
 */
export const parseBaseUrl = (input: unknown): string => {
  const text = typeof input === 'string' ? input.replace(/^[\s"'<]+|[\s"'>]+$/g, '') : '';
  if (!text) throw refuse(`it is missing. Enter the address of the API, such as ${brand.api}.`);
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(full) || /^https?:\/?[^/]/i.test(text))
    throw refuse(`this is not a web address. Enter one such as ${brand.api}.`);
  const url = new URL(full);
  const host = checkHost(url.hostname);
  const local = host === 'loopback' && !inLambda();
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    throw refuse('the address has to begin with https://, so that nobody can read your token on the way.');
  }
  if (url.username || url.password)
    throw refuse('remove the user name and password. The API Token goes into its own field.');
  if (full.includes('?') || full.includes('#')) throw refuse('remove everything from the ? or # on.');
  if (host !== 'public' && !local) {
    throw refuse(
      'this address is inside a private network, where Zapier cannot go. Enter the public address of the API.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/i, '').replace(/\/+$/, '');
};

/** Reads the API token as people paste it: with line breaks, spaces, or `Bearer ` in front. */
export const parseToken = (input: unknown): string => {
  const text = typeof input === 'string' ? input.replace(/\p{Cf}/gu, '').trim() : '';
  const token = text.replace(/^(authorization\s*:\s*)?bearer(\s+|$)/i, '').replace(/\s+/g, '');
  if (!token) {
    throw reconnect(
      'The API Token is missing. Create an API token in the messaging service, then reconnect this account.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw reconnect(
      'The API Token contains characters that a token cannot have. Copy it again from the messaging service, then reconnect this account.',
    );
  }
  return token;
};

/** Reads the connection that Zapier keeps. Throws a sentence for a person when it cannot be used. */
export const parseConnection = (authData: Record<string, unknown> | undefined): Connection => ({
  baseUrl: parseBaseUrl(authData?.base_url),
  token: parseToken(authData?.api_token),
});
