import findMessage from './find-message';

export const searches = {
  [findMessage.key]: findMessage,
};
