import type { Command } from 'commander';
import type { CaptureProgress, Trouble } from '#contract/capture.ts';
import type { DaemonStatus } from '#contract/status.ts';
import { agree } from '../confirm.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bytes, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

const CAPTURE_COMMANDS = [
  row({
    use: 'capture pause',
    method: 'capture.pause',
    print: () => print('Paused. Resume with `reflect capture resume`.'),
  }),
  row({ use: 'capture resume', method: 'capture.resume', print: () => print('Resumed.') }),
  row({
    use: 'capture commit <sha>',
    method: 'capture.commit',
    flags: {
      message: { doc: 'the full commit message', short: 'm' },
      branch: { value: 'name' },
      session: { value: 'id' },
      conflictResolved: 'it resolved a conflict',
    },
    print: ({ session, reverts }) => {
      const reverted = reverts.length > 0 ? ` Reverts ${reverts.join(', ')}.` : '';
      print(`${session ? `Linked to session ${session}.` : 'No recent session in this project.'}${reverted}`);
    },
  }),
];

export function captureCommands(program: Command): void {
  program
    .command('setup')
    .description('Show what Reflect reads, and allow it to start')
    .option('--yes', 'agree without a prompt')
    .action(setUp);

  const capture = program.command('capture').description('Show or pause reading of transcripts');
  capture
    .command('status', { isDefault: true })
    .description('Show watched folders and reading progress')
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        async (call) => ({ ...(await call('status', {})), troubles: await call('capture.troubles', {}) }),
        printCapture,
      ),
    );
  deriveCommands(program, CAPTURE_COMMANDS);
}

/** The reading progress in one line. */
export function progressLine(progress: CaptureProgress): string {
  const { filesDone, filesTotal, bytesDone, bytesTotal, agent, bytesPerSecond } = progress;
  const share = bytesTotal === 0 ? 100 : Math.floor((100 * bytesDone) / bytesTotal);
  return `${share} %, ${filesDone} of ${plural(filesTotal, 'file')}, ${bytes(bytesDone)} of ${bytes(bytesTotal)}, ${(bytesPerSecond / 1e6).toFixed(1)} MB/s${agent ? `, now ${agent}` : ''}`;
}

function printCapture(status: DaemonStatus & { troubles: Trouble[] }): void {
  const { capture, progress, sources, troubles } = status;
  print(`capture: ${capture}`);
  if (progress.filesDone < progress.filesTotal) print(`reading: ${progressLine(progress)}`);
  const found = sources.filter(({ present }) => present);
  if (found.length > 0)
    print(
      ...table(
        found.map(({ agent, folder, files, bytesRead, bytes: size }) => [
          agent,
          plural(files, 'file'),
          `${bytes(bytesRead)} of ${bytes(size)}`,
          folder,
        ]),
      ),
    );
  else print(dim('no transcripts found yet'));
  for (const { kind, detail, session, at } of troubles)
    print(`${kind} ${dim(`${ago(at)}, session ${session}`)}`, `  ${detail}`);
}

/** Says what is read and what stays, and lets a person agree. */
async function setUp({ yes = false }: { yes?: boolean }, command: Command): Promise<void> {
  await withDaemon(
    command,
    async (call) => {
      const { agreed, sources } = await call('status', {});
      const found = sources.filter(({ present }) => present);
      print('Reflect reads the transcripts your agents keep on this machine, and notes what you teach them:');
      print(...table(found.map(({ agent, folder }) => [agent, folder])));
      if (found.length === 0)
        print(dim('No transcripts found yet. Reflect reads them once you have used an agent.'));
      print('Secrets are removed first. Notes stay in your Reflect folder. Nothing leaves this machine.');
      if (!agreed) {
        await agree('Start reading?', yes, 'Pass --yes to agree.', 'Nothing will be read.');
        await call('capture.agree', {});
      }
      return { agreed: true };
    },
    () => print('Reading started. Next, connect your agents: `reflect install --all`.'),
  );
}
