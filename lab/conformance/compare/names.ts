/** Returns a name or word without its spelling: `firstname` for `first_name` and `firstName`. */
export const plain = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase();
