/** The environment the daemon's process must start with. */
export function daemonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // glibc keeps large blocks a model freed unless they were mapped; read once, at process start.
  return process.platform === 'linux' ? { MALLOC_MMAP_THRESHOLD_: '200000', ...environment } : environment;
}
