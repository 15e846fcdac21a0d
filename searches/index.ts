export const searches = {};
