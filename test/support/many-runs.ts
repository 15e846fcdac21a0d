/** Lets a test file run steps more than 250 times. Zapier's core then ends a process of more than 450 MB. */
let memory: jest.SpyInstance;

// This process holds the tests and their services as well.
beforeAll(() => {
  memory = jest.spyOn(process, 'memoryUsage').mockReturnValue({ ...process.memoryUsage(), rss: 0 });
});

afterAll(() => memory.mockRestore());
