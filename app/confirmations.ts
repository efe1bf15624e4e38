import type { MessageBoxOptions } from 'electron';
import type { Send } from '#contract/methods.ts';
import type { DaemonEvent } from '#contract/status.ts';

interface Line {
  send: Send;
  onEvent(listener: (event: DaemonEvent) => void): () => void;
}

/** Asks the person about a change that a page in a browser wants and may not make by itself. */
export function askAboutChanges(
  line: Line,
  show: (box: MessageBoxOptions) => Promise<{ response: number }>,
): () => void {
  return line.onEvent((event) => {
    if (event.type === 'confirmation.asked') void ask(event);
  });

  async function ask({ id, change }: Extract<DaemonEvent, { type: 'confirmation.asked' }>): Promise<void> {
    const answer = (given: 'asking' | 'allow' | 'refuse') =>
      line.send('confirmations.answer', { id, answer: given });
    const reply = await answer('asking');
    if (!reply.ok) return; // it is no longer open
    const { response } = await show({
      type: 'warning',
      message: 'Allow this change from your browser?',
      detail: `A page in your browser wants to change ${change}. This affects what runs on your computer or where text is sent. Allow it only if you just requested it.`,
      buttons: ['Refuse', 'Allow'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    await answer(response === 1 ? 'allow' : 'refuse');
  }
}
