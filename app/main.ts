import { app, BrowserWindow, clipboard, dialog, Notification, session, shell } from 'electron';
import path from 'node:path';
import { daemonEnvironment } from '#contract/daemon-environment.ts';
import { messageOf } from '#contract/errors.ts';
import { setApplicationMenu } from './application-menu.ts';
import { AttentionAlarm } from './attention.ts';
import { EVENT_CHANNEL, LINK_CHANNEL, UPDATE_CHANNEL } from './channels.ts';
import { installCommandLineTool } from './command-line-tool.ts';
import { askAboutChanges } from './confirmations.ts';
import { DaemonConnection } from './daemon-connection.ts';
import { DaemonProcess } from './daemon-process.ts';
import { chooseExport, chooseImport } from './file-dialogs.ts';
import { servePages } from './ipc.ts';
import { LINK_SCHEME, routeIn, routeOfLink } from './links.ts';
import { locate } from './locations.ts';
import { openableAddress } from './openable-address.ts';
import { APP_ID, registersLinks } from './platform/desktop.ts';
import { loginItem, opensHidden, writeAutostart } from './platform/login-item.ts';
import { personsEnvironment } from './platform/shell-environment.ts';
import { PreferencesFile } from './preferences.ts';
import { createQuickSearch, listenForShortcut } from './quick-search.ts';
import { declareOwnScheme, forbidLeaving, sealSession } from './sealed-session.ts';
import { createTray } from './tray.ts';
import { Updates } from './updates.ts';
import { VERSION } from './version.ts';
import { watchStatus } from './watch-status.ts';
import { createMainWindow } from './window.ts';

const SHORTCUT = process.env['REFLECT_SHORTCUT'] || 'CommandOrControl+Shift+Space';
const QUICK_SEARCH_FLAG = '--quick-search';
/** Ends the running app. Windows has no signal that would ask it to. */
const QUIT_FLAG = '--quit';

const locations = locate(import.meta.dirname, process.env);
if (locations.userData) app.setPath('userData', locations.userData);

if (process.platform === 'win32') app.setAppUserModelId(APP_ID);

// A link that starts the app on macOS comes before it is ready.
let openLink: (link: string) => void = (link) => (linkAtStart = link);
let linkAtStart = '';
app.on('open-url', (_event, link) => openLink(link));

if (app.requestSingleInstanceLock() && !process.argv.includes(QUIT_FLAG)) {
  declareOwnScheme();
  forbidLeaving();
  void app.whenReady().then(boot);
} else {
  app.quit(); // the first instance was notified, and shows its window
}

function boot(): void {
  const environment = personsEnvironment(process.platform, process.env);
  const preferences = new PreferencesFile(path.join(app.getPath('userData'), 'shell.json'));
  const daemon = daemonProcess(environment);
  const connection = new DaemonConnection(() => daemon.ensure());

  sealSession(session.defaultSession, locations.renderer);
  setApplicationMenu();
  const window = createMainWindow(locations.preload, path.join(locations.icons, 'icon.png'), preferences);
  const quickSearch = createQuickSearch(locations.preload, preferences);
  const shortcutWorks = listenForShortcut(SHORTCUT, quickSearch.toggle);
  const updates = new Updates((state) => {
    tray.refresh();
    if (state.kind === 'ready') sendToPages(UPDATE_CHANNEL, state.version);
  });
  const restartToUpdate = () =>
    updates.restart({
      releaseWindow: window.release,
      close: () => close(),
      releaseLock: () => app.releaseSingleInstanceLock(),
      onFailure() {
        app.relaunch();
        app.quit();
      },
    });
  const facts = () => ({
    shortcut: shortcutWorks ? SHORTCUT : undefined,
    choices: preferences.current,
    update: updates.state,
  });
  const tray = createTray(locations.icons, facts, {
    open: window.open,
    quickSearch: quickSearch.toggle,
    start: () => daemon.startAgain(),
    pause: () => void connection.send('capture.pause', {}),
    resume: () => void connection.send('capture.resume', {}),
    choose: (choices) => {
      preferences.change(choices);
      if (choices.openAtLogin !== undefined) openAtLogin(choices.openAtLogin);
    },
    installCommandLineTool: () => void environment.then(offerCommandLineTool),
    restartToUpdate: () => void restartToUpdate(),
    quit: () => app.quit(),
  });
  servePages(connection.send, {
    openMain: (route) => {
      quickSearch.hide();
      window.open(route);
    },
    hideQuickSearch: quickSearch.hide,
    copy: (text) => clipboard.writeText(text),
    openAddress,
    chooseExport,
    chooseImport,
    readyUpdate: () => (updates.state.kind === 'ready' ? updates.state.version : null),
    restartToUpdate,
    startDaemon: () => daemon.startAgain(),
  });
  connection.onEvent((event) => sendToPages(EVENT_CHANNEL, event));
  askAboutChanges(connection, (box) => dialog.showMessageBox(box));
  connection.onLink((link) => sendToPages(LINK_CHANNEL, link));
  const alarm = new AttentionAlarm();
  const stopWatching = watchStatus(connection, (view) => {
    tray.show(view);
    const sentence = alarm.sentenceFor(view, Date.now());
    if (sentence !== null && preferences.current.notify) notify(sentence, () => window.open('/inbox'));
  });
  void connection.keepOpen((problem) => console.error(problem));

  const openAsAsked = (argv: string[], isAtLogin: () => boolean) => {
    if (argv.includes(QUIT_FLAG)) app.quit();
    else if (argv.includes(QUICK_SEARCH_FLAG)) quickSearch.toggle();
    else if (!opensHidden(process.platform, argv, isAtLogin)) window.open(routeIn(argv));
  };
  app.on('second-instance', (_event, argv) => openAsAsked(argv, () => false));
  if (registersLinks(process.platform, app.isPackaged)) app.setAsDefaultProtocolClient(LINK_SCHEME);
  openLink = (link) => window.open(routeOfLink(link));
  app.on('activate', () => window.open());
  app.on('window-all-closed', () => undefined); // the tray is the app; only Quit ends it
  app.on('before-quit', window.release);
  const close = quitInOrder(async () => {
    stopWatching();
    tray.destroy();
    connection.close();
    // A daemon of the version before would not serve the next one.
    if (updates.isRestarting || !preferences.current.keepRunning) await daemon.stop();
  });
  openAsAsked([...process.argv, linkAtStart], () => app.getLoginItemSettings().wasOpenedAtLogin);
  const feed = process.env['REFLECT_UPDATE_FEED'] || preferences.current.updateFeed;
  const reportUpdate = (problem: unknown) => console.error(problem);
  void updates.start(updateSource(feed), reportUpdate).catch(reportUpdate);
}

function daemonProcess(environment: Promise<NodeJS.ProcessEnv>): DaemonProcess {
  return new DaemonProcess({
    home: locations.home,
    version: VERSION,
    command: process.execPath,
    args: [locations.daemonEntry, ...process.argv.filter((argument) => argument === '--demo')],
    env: environment.then((env) => ({
      ...daemonEnvironment(env),
      ELECTRON_RUN_AS_NODE: '1',
      REFLECT_HOME: locations.home,
    })),
    errorLog: path.join(app.getPath('userData'), 'daemon-start.log'),
  });
}

const updateSource = (feed: string | null) => ({
  feed,
  isPackaged: app.isPackaged,
  resources: process.resourcesPath,
  userData: app.getPath('userData'),
  env: process.env,
});

function sendToPages(channel: string, message: unknown): void {
  for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(channel, message);
}

async function openAddress(address: string): Promise<void> {
  const openable = openableAddress(address);
  if (openable === undefined) throw new Error('Only web and mail addresses can be opened.');
  await shell.openExternal(openable);
}

async function offerCommandLineTool(env: NodeJS.ProcessEnv): Promise<void> {
  const installing = installCommandLineTool(locations.cliEntry, env);
  const box = await installing.then(
    (detail) => ({ type: 'info' as const, message: 'The command line tool is installed.', detail }),
    (problem: unknown) => ({
      type: 'error' as const,
      message: 'The command line tool could not be installed.',
      detail: messageOf(problem),
    }),
  );
  await dialog.showMessageBox(box);
}

/** A person who has the app in front of them already sees it there. */
function notify(sentence: string, onClick: () => void): void {
  if (!Notification.isSupported() || BrowserWindow.getFocusedWindow()) return;
  const notification = new Notification({ title: 'Reflect', body: sentence, silent: true });
  notification.on('click', onClick);
  notification.show();
}

function openAtLogin(on: boolean): void {
  const start = {
    executable: process.execPath,
    appPath: app.isPackaged ? null : app.getAppPath(),
    appImage: process.env['APPIMAGE'],
  };
  const item = loginItem(process.platform, start, on);
  if (item.kind === 'setting') app.setLoginItemSettings(item.settings);
  else writeAutostart(app.getPath('appData'), item.command, on);
}

/** Ends the app only after what it started has ended; what it returns closes without ending the app. */
function quitInOrder(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  let isClosed = false;
  const closeOnce = () => (closing ??= close().finally(() => (isClosed = true)));
  app.on('will-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    // Not within this event: asked again before it has ended, Electron forgets the wish to quit.
    void closeOnce().finally(() => setImmediate(() => app.quit()));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  return closeOnce;
}
