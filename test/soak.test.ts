import { soak } from '../bench/soak';

test('a day of faults loses nothing, starts nothing twice, sends nothing twice and lets nothing forged in', async () => {
  const load = { inbound: 300, sends: 100, faults: 0.2 };
  await expect(soak(load)).resolves.toMatchObject({
    lost: 0,
    startedTwice: 0,
    sentTwice: 0,
    notSent: 0,
    forgedLetIn: 0,
    deliveries: load.inbound,
    forged: 30,
  });
}, 60_000);
