/** The first import of each command that runs the app with the sandbox, which speaks the contract itself (`src/api/wire.ts`). */
process.env.CONTRACT ??= 'sandbox';
