import { agentsEnvironment, agentsHome } from '../platform/paths.ts';
import type { InstallContext } from './agent.ts';
import { thisLauncher } from './launcher.ts';

/** The context for installing this Reflect in the agents of this user. */
export function installContext(reflectHome: string, environment: NodeJS.ProcessEnv): InstallContext {
  return {
    home: agentsHome(environment),
    environment: agentsEnvironment(environment),
    project: null,
    launcher: thisLauncher(reflectHome),
    withTools: false,
  };
}
