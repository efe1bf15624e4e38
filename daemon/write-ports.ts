import { writeFileSync } from 'node:fs';
import { KNOBS, PORTS } from './registry.ts';
import { portsDocument } from './ports/document.ts';

writeFileSync(new URL('./ports/PORTS.md', import.meta.url), portsDocument(KNOBS, PORTS));
