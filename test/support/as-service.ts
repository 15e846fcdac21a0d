/** Runs work as the app runs on Zapier, where it talks to the service and not to the sandbox. */
export const asService = async <T>(work: () => Promise<T>): Promise<T> => {
  const { CONTRACT } = process.env;
  delete process.env.CONTRACT;
  try {
    return await work();
  } finally {
    if (CONTRACT !== undefined) process.env.CONTRACT = CONTRACT;
  }
};
