/** Which requests are repeated, and what a step says when the outcome is unknown. */

import type { AnyInput } from '../../src/api/endpoints';
import { contact, message, workspace } from '../../src/api/resources';
import { answered, type Reply, read, send, sendOf, withKey } from '../support/answered';
import { expectHalt } from '../support/halt';
import { authData, expectCall, testedAccount, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

describe('retries', () => {
  const testAccount = () => runStep('authentication.test', { authData });
  type Fault = [what: string, reply: Reply];

  const created_at = new Date().toISOString();
  const sent: Reply = [202, toResponse({ ...message.sample, created_at })];
  const running: Reply = [409, '{"error": {"code": "idempotency_in_flight", "message": "Running"}}'];

  const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });
  const reset = failure('ECONNRESET', 'socket hang up');
  const refused = failure('ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443');

  /** What the service says in its own format. */
  const told: Reply = [503, toResponse({ error: { code: 'down', message: 'Down' }, request_id: 'req_1' })];

  /** After these, the service may have acted. */
  const unknown: Fault[] = [
    ['503 of a proxy', [503, '<html>']],
    ['503 of a proxy in JSON', [503, '{"error": {"code": "503", "message": "Down"}}']],
    ['503 without a readable pause', [503, '', { 'retry-after': 'soon' }]],
    ['500', [500, '<html>']],
    ['502', [502]],
    ['504', [504]],
    ['408 with the code of another status', [408, '{"error": {"code": "not_found"}}']],
    ['425', [425]],
    ['HTML', [200, '<html>Welcome</html>']],
    ['half a JSON', [202, '{"id": "msg_']],
    ['a reset', reset],
    ['a response that breaks off', failure('ECONNRESET', 'aborted')],
    ['a reset while the response is read', failure('ECONNRESET', 'read ECONNRESET')],
  ];

  /** After these, the service has certainly not acted, and may do so soon. */
  const passing: Fault[] = [
    ['503 of the service', told],
    ['503 with a pause', [503, '<html>', { 'retry-after': '1' }]],
    ['a refused connection', refused],
    ['no connection to any of several addresses', failure('ETIMEDOUT', '')],
    // The host has responded before, so only the look-up of its name fails.
    ['no such host', failure('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com')],
    ['a name server that is busy', failure('EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example.com')],
    [
      'a protocol other than TLS',
      failure('EPROTO', 'write EPROTO 0:error:0A00010B:SSL routines::wrong version number:\n'),
    ],
    [
      'a connection that ends before TLS',
      failure('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
    ],
  ];

  /** After these, the service has certainly not acted, and a retry doesn't help. */
  const lasting: Fault[] = [
    ['an expired certificate', failure('CERT_HAS_EXPIRED', 'certificate has expired')],
    ['a self-signed certificate', failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
    ['a certificate of an unknown authority', failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify')],
    ['the certificate of another host', failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Host is not in the altnames')],
  ];

  const refusals = [404, 400, 401, 403, 409, 410, 422, 429].map((status): Fault => [`${status}`, [status, '{}']]);

  /** The most attempts of one request. */
  const attempts = 8;

  describe('the test of the account, on core', () => {
    /** Announces responses, one after another, and the last one for ever. */
    const announce = (...replies: Reply[]) => {
      const asked = jest.fn();
      const reply = async () => {
        const next = replies[Math.min(asked.mock.calls.length, replies.length - 1)] ?? [500];
        asked();
        if (next instanceof Error) throw next;
        return next;
      };
      expectCall('getWorkspace').interceptor.reply(reply).persist();
      return asked;
    };

    // Only this call takes a host that isn't found for a typing error.
    const isLasting = (fault: Fault): boolean => lasting.includes(fault) || fault[0] === 'no such host';
    const ofNetwork = [...unknown, ...passing, ...lasting].filter(([, reply]) => reply instanceof Error);

    test.each(ofNetwork.filter((fault) => !isLasting(fault)))('is retried after %s', async (_fault, reply) => {
      const asked = announce(reply, reply, [200, toResponse(workspace.sample)]);
      await expect(testAccount()).resolves.toEqual(testedAccount);
      expect(asked).toHaveBeenCalledTimes(3);
    });

    test.each(ofNetwork.filter(isLasting))("isn't retried after %s", async (_fault, reply) => {
      const asked = announce(reply);
      await expect(testAccount()).rejects.toThrow(
        'The connection to the messaging service failed before a complete response arrived. Try again later.',
      );
      expect(asked).toHaveBeenCalledTimes(1);
    });

    test('ends after eight attempts, with the request ID of the last', async () => {
      const failures: Reply[] = Array(attempts).fill([500, '']);
      const asked = announce(...failures.with(-1, [500, '', { 'x-request-id': 'req_8' }]));
      await expect(testAccount()).rejects.toThrow('(Request ID: req_8)');
      expect(asked).toHaveBeenCalledTimes(attempts);
    });
  });

  const unsure = '. The request may have succeeded, so check before you try again.';
  const replayable = '. The request may have succeeded, but you can replay the run safely within 24 hours of the first';
  const later = '. Try again later.';
  const undone = '. Nothing was sent or changed, so you can try again later.';
  // No service keeps the keys of changes.
  const inContact = { id: '101', body: { first_name: 'X' }, ...withKey };

  /** How often a call is made that meets the same fault for ever, and the class and words of its error. */
  type Fate = [tries: number, name: string, words: string];

  const kinds: [kind: string, make: (...replies: Reply[]) => ReturnType<typeof answered>, whenUnknown: Fate][] = [
    ['a read', (...replies) => answered('getMessage', { id: '101' }, replies), [attempts, 'AppError', later]],
    // Autoreplay repeats errors.
    ['a send', (...replies) => sendOf({}, ...replies), [attempts, 'HaltedError', unsure]],
    ['a send with a key', (...replies) => sendOf(withKey, ...replies), [attempts, 'AppError', replayable]],
    ['a change', (...replies) => answered('updateContact', inContact, replies), [1, 'HaltedError', unsure]],
    ['a deletion', (...replies) => answered('deleteContact', inContact, replies), [attempts, 'HaltedError', unsure]],
  ];

  describe.each(kinds)('%s', (kind, make, whenUnknown) => {
    const isRead = kind === 'a read';

    const expectFate = async (faults: Fault[], [tries, name, words]: Fate) => {
      for (const [fault, reply] of faults) {
        const { outcome, keys } = make(reply);
        const error = await outcome.catch((thrown: Error) => thrown);
        expect([fault, keys.length, new Set(keys).size]).toEqual([fault, tries, 1]);
        expect([fault, error]).toEqual([
          fault,
          expect.objectContaining({ name, message: expect.stringContaining(words) }),
        ]);
      }
    };

    test('that may have succeeded is repeated only if that does nothing twice', async () => {
      // A success has a body only if it gives something.
      const empty: Fault[] = isRead
        ? [
            ['an empty 200', [200, '']],
            ['a 204', [204]],
          ]
        : [];
      await expectFate([...unknown, ...empty], whenUnknown);
    });

    test('that certainly did nothing is repeated, unless that is in vain', async () => {
      const words = isRead ? later : undone;
      await expectFate(passing, [attempts, 'AppError', words]);
      await expectFate(lasting, [1, 'AppError', words]);
    });

    test("that is refused isn't repeated", async () => {
      for (const [fault, reply] of refusals) {
        const { outcome, keys } = make(reply);
        await expect(outcome).rejects.toThrow(/didn't accept|token|refused|doesn't have this record|too many requests/);
        expect([fault, keys.length]).toEqual([fault, 1]);
      }
    });
  });

  test('a call without a key goes on when the service is there again', async () => {
    const good = toResponse(contact.sample);
    const { outcome, keys } = answered('updateContact', inContact, [refused, [200, good]]);
    await expect(outcome).resolves.toEqual(contact.sample);
    expect(keys).toEqual([null, null]);
  });

  describe('a send', () => {
    const isOneKey = (keys: unknown[]) => new Set(keys).size === 1;

    test('is retried under a key of this step, or that of the person', async () => {
      const [one, other] = [sendOf({}, reset, refused, sent), sendOf({}, [500], sent)];
      await expect(one.outcome).resolves.toMatchObject({ id: message.sample.id, already_sent: false });
      await other.outcome;
      const own = expect.stringMatching(/^[0-9a-f-]{36}$/);
      expect(one.keys).toEqual([own, one.keys[0], one.keys[0]]);
      expect(other.keys).toEqual([own, other.keys[0]]);
      expect(other.keys[0]).not.toBe(one.keys[0]);
      const { outcome, keys } = sendOf(withKey, [500], sent);
      await outcome;
      expect(keys).toEqual(['order 1', 'order 1']);
    });

    describe('whose first response is lost', () => {
      const unconfirmed = (status: number) => `The messaging service didn't confirm this request (status ${status}).`;

      test.each<[what: string, reply: Reply, words: string]>([
        ['403', [403, '{}'], unconfirmed(403)],
        ['403 with a code', [403, '{"error": {"code": "insufficient_scope", "message": "No"}}'], unconfirmed(403)],
        ['403 for the plan', [403, '{"error": {"code": "plan_required", "message": "No"}}'], unconfirmed(403)],
        // With the person's key, Zapier repeats the step after a pause.
        ['429', [429, '{}'], 'too many requests'],
        ['451', [451, 'No'], unconfirmed(451)],
        ['a page at another address', [404, '<html>'], unconfirmed(404)],
        ['a redirect', [308], unconfirmed(308)],
        ['503', [503], "The messaging service failed (status 503). This isn't caused by your Zap."],
        ['a refused connection', refused, 'The connection to the messaging service failed before a complete response'],
      ])('halts after %s, which says nothing about it', async (_what, reply, words) => {
        await expectHalt(
          send({}, reset, reply),
          expect.stringMatching(/\. The request may have succeeded, so check before you try again\.$/),
        );
        const repeated = send(withKey, reset, reply);
        await expect(repeated).rejects.toMatchObject({
          name: expect.stringMatching(/^(App|Throttled)Error$/),
          message: expect.not.stringMatching(/nothing was sent( or changed)?\./i),
        });
        await expect(repeated).rejects.toThrow(words);
      });

      // A run that waits for a new token may outlive the key.
      test.each([
        ['without Send Once for Each', {}, 'check whether it did before you try again.'],
        ['with it', withKey, 'replay the run within 24 hours of the first try, and nothing is sent twice.'],
      ])('halts after 401 and asks to reconnect, %s', async (_form, form, next) => {
        await expectHalt(
          send(form, reset, [401, '{"error": {"code": "invalid_token", "message": "No"}}']),
          `The messaging service didn't confirm this request (status 401). It may have succeeded. Reconnect this account, then ${next}`,
        );
      });

      // The codes are of no call or of another one.
      test.each([
        [400, '{}'],
        [404, '{"error": {"code": "not_found", "message": "No"}}'],
        [409, '{"error": {"code": "contact_exists", "message": "No"}}'],
        [410, '{}'],
        [422, '{"error": {"code": "duplicate", "message": "Sent already"}}'],
      ])('is unknown after %i without a code that the contract knows: %s', async (status, body) => {
        const start = `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, `;
        await expectHalt(send({}, reset, [status, body]), `${start}so check before you try again.`);
        await expect(send(withKey, reset, [status, body])).rejects.toMatchObject({
          name: 'AppError',
          message: expect.stringContaining(
            `${start}but you can replay the run safely within 24 hours of the first try`,
          ),
        });
      });

      test.each<[string, AnyInput, Reply]>([
        ['knows its key from another body', {}, [422, '{"error": {"code": "idempotency_mismatch", "message": "No"}}']],
        ['knows the key from another body', withKey, [422, '{"error": {"code": "idempotency_mismatch"}}']],
        ['works on it', {}, running],
        ['works on it, with Send Once for Each', withKey, running],
      ])('may have arrived when the service %s', async (_what, form, reply) => {
        await expectHalt(
          send(form, reset, reply),
          'The messaging service has an earlier try of this step, so it may have been sent. Check before you try again.',
        );
      });

      test('halts with the reason when the service then refuses it, since it had not acted', async () => {
        await expectHalt(
          send({}, reset, [422, '{"error": {"code": "recipient_opted_out", "message": "No"}}']),
          expect.stringContaining('this person has opted out of messages, so nothing was sent'),
        );
      });
    });

    test.each<[number, string]>([
      [303, ''],
      [302, '{"error": {"code": "not_found", "message": "Gone"}}'],
    ])('halts after %i, which may follow a success, also when it looks like a verdict', async (status, body) => {
      await expectHalt(
        send({}, [status, body]),
        `The messaging service didn't confirm this request (status ${status}). The request may have succeeded, so check before you try again.`,
      );
    });

    test.each([301, 307, 308])('fails after %i, which sends to another address instead', async (status) => {
      await expect(send({}, [status])).rejects.toThrow('redirects elsewhere');
    });

    test('waits while the service still works on an earlier attempt', async () => {
      const { outcome, keys } = sendOf({}, reset, running, running, sent);
      await expect(outcome).resolves.toMatchObject({ id: message.sample.id });
      expect([keys.length, isOneKey(keys)]).toEqual([4, true]);
    });

    // Zapier would repeat the step with another random key, which creates at most a second webhook.
    test.each([
      ['sendMessage', 'HaltedError', 'so it may have been sent. Check before'],
      ['triggerCampaign', 'HaltedError', 'so it may have been sent. Check before'],
      ['createContact', 'HaltedError', 'so it may have succeeded. Check before'],
      ['createWebhook', 'ThrottledError', 'The same request is still being processed.'],
    ] as const)('%s that the service never finishes is a %s', async (name, error, words) => {
      const { outcome } = answered(name, { id: '7', body: {} }, [running]);
      await expect(outcome).rejects.toMatchObject({ name: error, message: expect.stringContaining(words) });
    });

    test('that the service never finishes, with Send Once for Each, lets Zapier try again', async () => {
      await expect(send(withKey, running)).rejects.toMatchObject({
        name: 'ThrottledError',
        message: expect.stringContaining('The same request is still being processed. Zapier retries this step'),
      });
    });

    test('that the service works on, and that then fails, may have been sent', async () => {
      await expectHalt(send({}, running, told), expect.stringContaining('The request may have succeeded, so check'));
    });
  });

  test.each([
    ['triggerCampaign', 409, 'contact_exists', 'The messaging service refused this step (status 409). No.'],
    ['sendMessage', 422, 'contact_exists', 'refused this step with the code contact_exists. No.'],
    ['updateContact', 422, 'recipient_opted_out', 'refused this step with the code recipient_opted_out. No.'],
    ['updateContact', 422, 'idempotency_mismatch', 'refused this step with the code idempotency_mismatch. No.'],
    ['createWebhook', 422, 'template_not_found', 'refused this step with the code template_not_found. No.'],
    ['triggerCampaign', 422, 'recipient_opted_out', 'this person has opted out of messages, so nothing was sent'],
  ] as const)('%s takes %i %s for no verdict of another call', async (name, status, code, words) => {
    const input = { id: '7', body: {}, idempotencyKey: 'order 1' };
    const { outcome } = answered(name, input, [[status, JSON.stringify({ error: { code, message: 'No' } })]]);
    await expect(outcome).rejects.toThrow(words);
  });

  test.each([404, 410])('a deletion whose response was lost succeeds when the record is gone (%i)', async (status) => {
    const gone: Reply = [status, '{"error": {"code": "not_found", "message": "Gone"}}'];
    await expect(read('deleteContact', reset, gone)).resolves.toBeUndefined();
    await expect(read('deleteContact', refused, gone)).rejects.toThrow(
      "Contact: the messaging service doesn't have this record, perhaps because it was deleted.",
    );
  });

  describe('a repeat that the service recognizes', () => {
    const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const replay = (created: number, clock = 0): Reply => [
      202,
      toResponse({ ...message.sample, created_at: secondsAgo(created).toISOString() }),
      { 'Idempotent-Replayed': 'true', ...(clock && { date: secondsAgo(clock).toUTCString() }) },
    ];

    test.each<[what: string, replies: () => Reply[], already_sent: boolean]>([
      ['at once', () => [replay(0)], true],
      ['after a moment without a connection', () => [refused, replay(0)], true],
      ['after another step has finished', () => [running, replay(0)], true],
      ['after its response was lost', () => [reset, replay(0)], false],
      ['after the response to a repeat was lost', () => [reset, replay(60)], true],
      ['after its response was lost, by a clock that is late', () => [reset, replay(300, 300)], false],
      ['after the response to a repeat was lost, by a clock that is early', () => [reset, replay(-240, -300)], true],
    ])('was sent by another step, or by this one: %s', async (_when, replies, already_sent) => {
      await expect(send(withKey, ...replies())).resolves.toMatchObject({ already_sent });
    });

    test("isn't a repeat of another step without Send Once for Each", async () => {
      await expect(send({}, reset, replay(60))).resolves.toMatchObject({ already_sent: false });
    });
  });
});
