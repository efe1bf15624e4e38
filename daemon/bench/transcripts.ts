import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeSession } from '../testing/claude-session.ts';
import { makeNotes, makeQuestions } from './corpus.ts';
import { seeded } from './statistics.ts';

const MB = 1_000_000;
const TURNS_PER_CORRECTION = 8;
const LONG_LINE = 50 * MB;

export interface TranscriptSizes {
  files: number;
  megabytesPerFile: number;
  /** One extra file of this size, with a line of 50 MB in it. */
  hugeMegabytes: number;
}

/** Writes sessions like an agent's: talk, some corrections, mostly tool output. Returns their size in bytes. */
export function writeTranscripts(
  folder: string,
  { files, megabytesPerFile, hugeMegabytes }: TranscriptSizes,
): number {
  mkdirSync(folder, { recursive: true });
  const sizes = [
    ...Array.from({ length: files }, () => megabytesPerFile),
    ...(hugeMegabytes > 0 ? [hugeMegabytes] : []),
  ];
  return sizes
    .map((megabytes, index) =>
      writeSession(join(folder, `session-${index}.jsonl`), megabytes * MB, index, index === files),
    )
    .reduce((sum, bytes) => sum + bytes, 0);
}

function writeSession(path: string, size: number, seed: number, withLongLine: boolean): number {
  const session = new ClaudeSession({ cwd: `/home/ada/bench-${seed % 5}`, session: `bench-${seed}` });
  const random = seeded(seed + 1);
  const [notes, tasks] = [makeNotes(200, seed + 1), makeQuestions(200, seed + 7)];
  const printed = notes.map(({ problem, rule, body }) => `${problem}\n${rule}\n${body}`).join('\n');
  writeFileSync(path, withLongLine ? session.agent('x'.repeat(LONG_LINE)) : '');
  let written = withLongLine ? LONG_LINE : 0;
  for (let turn = 0; written < size;) {
    let chunk = '';
    while (chunk.length < MB && written + chunk.length < size) {
      const note = notes[turn % notes.length];
      chunk += session.human(
        turn % TURNS_PER_CORRECTION === 3 ? `no, ${note?.rule ?? ''}` : (tasks[turn % tasks.length] ?? ''),
      );
      chunk += session.agent(
        turn % TURNS_PER_CORRECTION === 3
          ? `You're right. ${note?.fix ?? ''}`
          : `Done, I've updated it. ${note?.problem ?? ''}`,
      );
      for (let call = 0; call < 4; call++) {
        const id = `toolu_${turn}_${call}`;
        const start = Math.floor((random() * printed.length) / 2);
        chunk +=
          session.toolCall('Bash', { command: `npm test -- ${note?.tags[0] ?? ''}` }, id) +
          session.toolResult(id, printed.slice(start, start + 200 + 6_000 * random()));
      }
      turn++;
    }
    appendFileSync(path, chunk);
    written += chunk.length;
  }
  return written;
}
