import { brand } from '../brand';

/** Returns the address of the page where a person opens a record, such as `contacts/con_7Hq2Zr`. */
export const linkTo = (path: string): string => `${brand.app}/${path}`;

/** Whether a host is this machine, as `URL` writes it. A service for tests runs there, without https. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
