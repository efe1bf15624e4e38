import { writeFileSync } from 'node:fs';
import { stableSurface } from './protocol-surface.ts';

// Run `node daemon/contract/write-protocol.ts` to promise what was added since; what was promised must not go away.
writeFileSync(new URL('./protocol-1.json', import.meta.url), `${JSON.stringify(stableSurface(), null, 2)}\n`);
