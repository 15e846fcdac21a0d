import { brand } from '../brand';

/** Returns the address of the page where a person opens a record, such as `contacts/con_7Hq2Zr`. */
export const linkTo = (path: string): string => `${brand.app}/${path}`;
