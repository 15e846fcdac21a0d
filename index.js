module.exports = require('./dist');
