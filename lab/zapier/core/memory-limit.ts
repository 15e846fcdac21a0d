import './quiet-core';

// After 250 runs, core ends a process that has more than 450 MB, because Zapier then starts another one
// (src/tools/memory-checker.js of core). Here, it would end the page with all its Zaps.
const constants: object = require('zapier-platform-core/src/constants');
Object.assign(constants, { KILL_MAX_LIMIT: Number.POSITIVE_INFINITY });
