// Core loads its schemas, which takes 0.4 s in each test file, and uses them only for `zapier-platform validate`.
module.exports = {};
