/** The environment the daemon's process must start with. */
export function daemonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // glibc keeps large blocks a model freed unless they were mapped, and what each of many heaps has to spare: two heaps
  // take 20 MB less and no time. Both are read once, at process start.
  const memory = { MALLOC_MMAP_THRESHOLD_: '200000', MALLOC_ARENA_MAX: '2' };
  return process.platform === 'linux' ? { ...memory, ...environment } : environment;
}
