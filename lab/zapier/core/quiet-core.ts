// Zapier's core prints memory figures in production. It reads this at load, so import this file first.
process.env.NODE_ENV ??= 'test';
