import nock from 'nock';

export interface Call {
  id: string;
  method: string;
  params: unknown[];
}

/** Zapier's side of `z.cursor` and `z.cache`: answers every call with what `answer` gives or throws, until `stop`. */
export const serveRpc = (answer: (call: Call) => unknown) => {
  process.env.ZAPIER_DEPLOY_KEY = 'key';
  const scope = nock('https://rpc.zapier.com').persist();
  const respond = async (call: Call) => {
    try {
      return { id: call.id, result: await answer(call) };
    } catch (error) {
      return { id: call.id, error: String(error) };
    }
  };
  scope.post('/cli').reply(200, (_path: string, body: nock.Body) => respond(JSON.parse(String(body))), {
    'content-type': 'application/json',
  });
  return {
    stop: () => {
      scope.persist(false);
      delete process.env.ZAPIER_DEPLOY_KEY;
      nock.cleanAll();
    },
  };
};
