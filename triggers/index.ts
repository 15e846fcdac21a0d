import listTemplates from './list-templates';
import messageReceived from './message-received';

export const triggers = {
  [messageReceived.key]: messageReceived,
  [listTemplates.key]: listTemplates,
};
