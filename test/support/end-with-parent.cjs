// A child process that a test starts loads this first: it exits when the test process ends, even if that one crashes.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
