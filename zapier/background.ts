/** Lets the work go on by itself. Prints the error when it fails. */
export const inBackground = (work: Promise<unknown>): void => {
  work.catch(({ message }: Error) => console.error(`Work in the background failed: ${message}`));
};
