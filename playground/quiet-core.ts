// Imported before core, which prints memory figures at every run unless it is told that this is not production.
process.env.NODE_ENV ??= 'test';
