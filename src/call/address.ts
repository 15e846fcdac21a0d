/** The address of an API: which ones may get the token, and how they are written. */
import { BlockList } from 'node:net';
import { prefixInUse } from '../api/adapter';
import { isLoopback } from '../api/addresses';
import { brand } from '../brand';
import { fail } from '../step/errors';

/** IPv4 ranges that are not public (IANA special-purpose registry), with the addresses of cloud metadata. */
const privateIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];

/** All public IPv6 addresses are in the first range; the others in it have a special purpose (IANA). */
const globalIpv6 = ['2000::/3'];
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const isIn = (ranges: readonly string[], address: string, family: 'ipv4' | 'ipv6'): boolean => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list.check(address, family);
};

/** Names in a private network, such as names without a dot. */
const privateName =
  /^[^.]*$|^metadata\.|\.(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|svc)$/;

/** Whether the host is public. `URL` writes IPv4 addresses as four numbers, and IPv6 in brackets. */
export const isPublic = (host: string): boolean => {
  if (/^[\d.]+$/.test(host)) return !isIn(privateIpv4, host, 'ipv4');
  if (!host.startsWith('[')) return !privateName.test(host);
  const address = host.slice(1, -1);
  return isIn(globalIpv6, address, 'ipv6') && !isIn(specialIpv6, address, 'ipv6');
};

const refuse = (reason: string): Error => fail(`API Base URL: ${reason}`, 'base_url_refused');

const notAnAddress = (): Error => refuse(`this isn't a web address. Enter one such as ${brand.api}.`);

/**
 * Hosts that `URL`, which validates the address, and `url.parse`, which core connects with, read alike. `url.parse`
 * ends a name at characters such as `;` and can't read names over 255 characters.
 */
const unambiguousHost = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/;

/** Whether every program reads the name of a host alike. */
export const isUnambiguous = (host: string): boolean => host.startsWith('[') || unambiguousHost.test(host);

const maxUrlLength = 2_048;

/** Whether Zapier runs the app. It uses AWS Lambda, which always sets these variables. */
export const isOnZapier = (): boolean =>
  ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_RUNTIME_API', 'LAMBDA_TASK_ROOT'].some((name) => process.env[name]);

/**
 * Returns the API Base URL without a trailing slash and `/v1`, and with `https://` if it's missing. Throws an error
 * that says why for an address that mustn't get the token.
 */
export const parseBaseUrl = (input: unknown): string => {
  const pasted = typeof input === 'string' ? input.trim() : '';
  if (!pasted) throw refuse(`the address is missing. Enter the address of the API, such as ${brand.api}.`);
  if (pasted.length > maxUrlLength) throw notAnAddress();
  const text = pasted.replace(/^[\s"'<]+|[\s"'>]+$/g, '');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  // In Node 22, URL.canParse refuses addresses with letters such as ü after some thousand calls.
  const url = URL.parse(full);
  if (!url || /^https?:\/?[^/]/i.test(text)) throw notAnAddress();
  const host = url.hostname.replace(/\.$/, '');
  // On Zapier, loopback is Lambda's own control port.
  const isLocal = isLoopback(host) && !isOnZapier();
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw refuse('the address must start with https:// to keep your token private.');
  }
  if (!isUnambiguous(url.hostname)) throw notAnAddress();
  if (url.username || url.password) throw refuse('remove the user name and password. Enter the token in API Token.');
  if (full.includes('?') || full.includes('#')) throw refuse('remove the ? or # and everything after it.');
  if (!isLocal && !isPublic(host)) {
    throw refuse(
      "this address is in a private network, which Zapier can't reach. Enter the public address of the API.",
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const prefix = prefixInUse();
  const hasPrefix = path.toLowerCase().endsWith(prefix);
  const root = hasPrefix ? path.slice(0, path.length - prefix.length) : path;
  return url.origin + root.replace(/\/+$/, '');
};
