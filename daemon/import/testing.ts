import { open } from 'node:fs/promises';
import { TarWriter } from '../archive/tar.ts';

/** Writes a tar with these texts. */
export async function tarOf(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  const file = await open(path, 'w');
  const tar = new TarWriter(file);
  for (const [name, content] of Object.entries(files)) await tar.add(name, Buffer.from(content));
  await tar.finish();
  await file.close();
}
