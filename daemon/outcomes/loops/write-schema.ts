import { writeFileSync } from 'node:fs';
import { reflectionSchema } from './schema.ts';

// Run by hand after a change of the contract: `node daemon/outcomes/loops/write-schema.ts`. A test says when it is due.
writeFileSync(new URL('./reflection-memory.schema.json', import.meta.url), reflectionSchema());
