import sendMessage from './send-message';

export const creates = {
  [sendMessage.key]: sendMessage,
};
