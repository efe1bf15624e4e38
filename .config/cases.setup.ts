// The same random cases in every run, so that a failure does not come and go. `npm run test:hostile` looks for new
// ones.
import fc from 'fast-check';

const { REFLECT_CASES_SEED } = process.env;
fc.configureGlobal({ seed: REFLECT_CASES_SEED ? Number(REFLECT_CASES_SEED) : 1 });
