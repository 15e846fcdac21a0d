import diagnostics from 'node:diagnostics_channel';

/*
 * The app listens to requests for as long as its process lives. The test files of a worker share a process, and what
 * one of them began to listen to must not hear the requests of the next.
 */
const { subscribe, unsubscribe } = diagnostics;
const listening: Parameters<typeof subscribe>[] = [];

diagnostics.subscribe = (...listener) => {
  listening.push(listener);
  subscribe(...listener);
};

afterAll(() => {
  diagnostics.subscribe = subscribe;
  for (const listener of listening) unsubscribe(...listener);
});
