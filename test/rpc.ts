import nock from 'nock';

interface Call {
  id: string;
  method: string;
  params: unknown[];
}

/** Zapier's side of `z.cursor` and `z.cache`: answers every call with what `answer` gives, until `stop`. */
export const serveRpc = (answer: (call: Call) => unknown) => {
  process.env.ZAPIER_DEPLOY_KEY = 'key';
  const scope = nock('https://rpc.zapier.com').persist();
  scope.post('/cli').reply(
    200,
    async (_path: string, body: nock.Body) => {
      const call: Call = JSON.parse(String(body));
      return { id: call.id, result: await answer(call) };
    },
    { 'content-type': 'application/json' },
  );
  return {
    stop: () => {
      scope.persist(false);
      delete process.env.ZAPIER_DEPLOY_KEY;
      nock.cleanAll();
    },
  };
};
