import { agentsEnvironment, agentsHome } from '../platform/paths.ts';
import type { Place } from './agent.ts';
import { thisLauncher } from './launcher.ts';

/** Where the agents of this machine are looked for, and this Reflect as they will start it. */
export function placeFor(reflectHome: string, environment: NodeJS.ProcessEnv): Place {
  return {
    home: agentsHome(environment),
    environment: agentsEnvironment(environment),
    project: null,
    launcher: thisLauncher(reflectHome),
    withTools: false,
  };
}
