import { writeFileSync } from 'node:fs';
import { reflectionSchema } from './schema.ts';

// Run `node daemon/outcomes/loops/write-schema.ts` after a change of the contract; a test fails when it is due.
writeFileSync(new URL('./reflection-memory.schema.json', import.meta.url), reflectionSchema());
