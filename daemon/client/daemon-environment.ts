/** What the daemon's process needs from its environment before it begins. */
export function daemonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // glibc keeps large blocks a model freed unless they were mapped; read once, at process start.
  return process.platform === 'linux' ? { MALLOC_MMAP_THRESHOLD_: '200000', ...environment } : environment;
}
