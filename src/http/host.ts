import { BlockList } from 'node:net';

/** IPv4 ranges that are not public (IANA special-purpose registry), with the addresses of cloud metadata. */
const privateIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];

/** All public IPv6 addresses are in the first range; the others in it have a special purpose (IANA). */
const globalIpv6 = ['2000::/3'];
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Whether an IP address is in one of the ranges. */
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
