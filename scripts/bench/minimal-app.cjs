// A minimal app on the same core: one hook that passes on its payload and one action that sends its input.
const core = require('zapier-platform-core');

const step = (key, operation) => ({
  key,
  noun: 'Message',
  display: { label: 'Message', description: 'Passes on a message.' },
  operation: { ...operation, sample: { id: '1' } },
});

const sendMessage = async (z, { authData, inputData }) => {
  const response = await z.request({ method: 'POST', url: `${authData.base_url}/v1/messages`, body: inputData });
  return response.data;
};

module.exports = {
  version: '1.0.0',
  platformVersion: core.version,
  triggers: {
    message_received: step('message_received', {
      type: 'hook',
      perform: (_, bundle) => [bundle.cleanedRequest.data],
      performSubscribe: () => ({ id: '1' }),
      performUnsubscribe: () => ({}),
      performList: () => [],
    }),
  },
  creates: { send_message: step('send_message', { perform: sendMessage }) },
};
