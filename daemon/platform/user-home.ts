import { homedir } from 'node:os';

/** A user whom the system does not know, as in a container, may have no home folder, and many places ask for it. */
export function settleUserHome(environment: NodeJS.ProcessEnv): void {
  try {
    homedir();
  } catch {
    environment['HOME'] = '/'; // what container engines say in this case
  }
}
