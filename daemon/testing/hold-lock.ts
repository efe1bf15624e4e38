import { takeLock } from '../platform/lock.ts';

// node hold-lock.ts <file>: takes the lock, says so, and holds it until killed.
const lock = takeLock(process.argv[2] ?? '');
process.stdout.write(lock ? 'held\n' : 'refused\n');
setInterval(() => {}, 1_000);
