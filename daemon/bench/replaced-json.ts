// Loaded into each thread of a daemon that a bench starts: JSON files below REFLECT_REPLACED_JSON take the place of the
// project's own at the same path. So a bench can use weights fitted on other data, and the product needs no setting for
// it.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.env.REFLECT_REPLACED_JSON ?? '';

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.json')) return nextLoad(url, context);
    const replacement = join(folder, relative(ROOT, fileURLToPath(url)));
    if (folder === '' || !existsSync(replacement)) return nextLoad(url, context);
    return { format: 'json', source: readFileSync(replacement), shortCircuit: true };
  },
});
