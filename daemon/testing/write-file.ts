import { writeFileAtomic } from '../platform/files.ts';

// node write-file.ts <file> <bytes>: exits 3 with the code of the error when the file cannot be written.
try {
  writeFileAtomic(process.argv[2] ?? '', 'x'.repeat(Number(process.argv[3])));
} catch (error) {
  process.stdout.write(String((error as NodeJS.ErrnoException).code));
  process.exitCode = 3;
}
