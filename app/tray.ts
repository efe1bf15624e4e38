import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import path from 'node:path';
import { opensOnTrayClick } from './platform/desktop.ts';
import type { Preferences } from './preferences.ts';
import { type TrayState, type TrayView, recentCaptures, traySentence, trayState } from './tray-state.ts';
import type { UpdateState } from './updates.ts';

interface TrayActions {
  open(route?: string): void;
  quickSearch(): void;
  start(): void;
  pause(): void;
  resume(): void;
  choose(patch: Partial<Choices>): void;
  installCommandLineTool(): void;
  restartToUpdate(): void;
  quit(): void;
}

/** The switches in the menu. */
type Choices = Pick<Preferences, 'keepRunning' | 'notify' | 'openAtLogin'>;

/** The menu's content beside the daemon's state. */
interface TrayFacts {
  shortcut: string | undefined;
  choices: Choices;
  update: UpdateState;
}

interface TrayIcon {
  show(view: TrayView): void;
  /** Shows the same again, after one of the facts changed. */
  refresh(): void;
  destroy(): void;
}

export function createTray(icons: string, facts: () => TrayFacts, actions: TrayActions): TrayIcon {
  const tray = new Tray(image(icons, 'attention'));
  let shown: TrayView = { status: undefined, problem: null, recent: [] };
  if (opensOnTrayClick(process.platform)) tray.on('click', () => actions.open());

  function show(view: TrayView): void {
    shown = view;
    tray.setImage(image(icons, trayState(view)));
    tray.setToolTip(`Reflect: ${traySentence(view)}`);
    tray.setContextMenu(Menu.buildFromTemplate(menu(view, facts(), actions)));
  }
  return { show, refresh: () => show(shown), destroy: () => tray.destroy() };
}

/** macOS tints a template image itself; elsewhere the icon has to stand on light and dark panels alike. */
function image(icons: string, state: TrayState) {
  const isMac = process.platform === 'darwin';
  const found = nativeImage.createFromPath(path.join(icons, `tray-${state}${isMac ? '-template' : ''}.png`));
  found.setTemplateImage(isMac);
  return found;
}

const CHOICES: [keyof Choices, string][] = [
  ['notify', 'Notify me about decisions'],
  ['openAtLogin', 'Open at login'],
  ['keepRunning', 'Keep running after quit'],
];

function menu(
  view: TrayView,
  { shortcut, choices, update }: TrayFacts,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const captures = recentCaptures(view);
  const paused = view.status?.capture === 'paused';
  return [
    { label: traySentence(view), enabled: false },
    ...(view.problem === null ? [] : [{ label: 'Start the daemon', click: () => actions.start() }]),
    { type: 'separator' },
    { label: 'Open Reflect', click: () => actions.open() },
    ...((view.status?.attention ?? 0) > 0
      ? [{ label: `Inbox (${view.status?.attention})`, click: () => actions.open('/inbox') }]
      : []),
    {
      label: 'Quick search',
      ...(shortcut ? { accelerator: shortcut } : {}),
      click: () => actions.quickSearch(),
    },
    { type: 'separator' },
    { label: captures.length > 0 ? 'Recent captures' : 'Nothing captured yet', enabled: false },
    ...captures.map(({ learningId, label }) => ({
      label,
      click: () => actions.open(`/learnings/${learningId}`),
    })),
    { type: 'separator' },
    {
      label: paused ? 'Resume capture' : 'Pause capture',
      enabled: view.status !== undefined,
      click: () => (paused ? actions.resume() : actions.pause()),
    },
    { type: 'separator' },
    ...CHOICES.map(([choice, label]) => ({
      label,
      type: 'checkbox' as const,
      checked: choices[choice],
      click: ({ checked }: { checked: boolean }) => actions.choose({ [choice]: checked }),
    })),
    { label: 'Install command line tool', click: () => actions.installCommandLineTool() },
    ...updateItems(update, actions),
    { label: 'Quit Reflect', click: () => actions.quit() },
  ];
}

function updateItems(update: UpdateState, actions: TrayActions): MenuItemConstructorOptions[] {
  if (update.kind === 'ready')
    return [{ label: `Restart to update to ${update.version}`, click: () => actions.restartToUpdate() }];
  return update.kind === 'impossible' ? [{ label: update.why, enabled: false }] : [];
}
