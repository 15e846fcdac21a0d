/** For tests of documents, which leave out what the service lacks, as `npm run docs` does. The first import of such a test. */
process.env.CONTRACT = 'sandbox';
