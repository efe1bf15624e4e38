import { homedir } from 'node:os';

/** A user that the system does not know, as in a container, may have no home folder, which many places need. */
export function settleUserHome(environment: NodeJS.ProcessEnv): void {
  try {
    homedir();
  } catch {
    environment['HOME'] = '/'; // what container engines say in this case
  }
}
