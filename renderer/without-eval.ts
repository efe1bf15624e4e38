import { config } from 'zod';

// Zod compiles its parsers with `new Function` unless told not to, which the content security policy forbids (and
// reports). It decides when a schema is built, so this module must be imported before the contract.
config({ jitless: true });
