/** The names both ends of Electron's IPC agree on; preload and main are built apart. */
export const DAEMON_CHANNEL = 'daemon';
export const SHELL_CHANNEL = 'shell';
export const EVENT_CHANNEL = 'event';
export const LINK_CHANNEL = 'link';
export const ROUTE_CHANNEL = 'route';
export const UPDATE_CHANNEL = 'update';
