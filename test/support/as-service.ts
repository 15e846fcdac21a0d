const speaking =
  (contract: '' | 'sandbox') =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    const { CONTRACT = '' } = process.env;
    process.env.CONTRACT = contract;
    try {
      return await work();
    } finally {
      process.env.CONTRACT = CONTRACT;
    }
  };

/** Runs work as the app runs on Zapier, where it talks to the service and not to the sandbox. */
export const asService = speaking('');

/** Runs work as the commands that start the sandbox do: without what the service lacks. */
export const asSandbox = speaking('sandbox');
