import messageReceived from './message-received';

export const triggers = {
  [messageReceived.key]: messageReceived,
};
