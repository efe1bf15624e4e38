/** What learnings can be about, each far from every other. */
export const TOPICS = [
  'the linter before a commit', 'database migrations inside a transaction', 'the screenshots in headless Chrome', 'the release script from a clean checkout',
  'password hashing on a worker thread', 'the payment webhook handler twice in tests', 'the image optimiser after an upload', 'the search index rebuild at night',
  'the mail templates through the spell checker', 'the currency converter with decimal numbers', 'the load test against staging', 'the garbage collector of the cache every hour',
  'the PDF renderer with embedded fonts', 'the translation sync before a release', 'the container build without network', 'the browser tests with a fixed clock',
  'the schema generator after editing a proto file', 'the backup restore once a month', 'the dependency audit on Mondays', 'the queue consumer with a deadline',
];
