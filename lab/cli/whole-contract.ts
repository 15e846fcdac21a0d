/** The first import of what describes or tests the whole contract, also what the service lacks (`src/api/wire.ts`). */
process.env.CONTRACT = 'whole';
