const partsOf = (id: string): string[] =>
  id
    .replace(/^git:/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.worktrees');

/**
 * The shortest name of each project that no other one has: its last part, with as many parts before it as it takes to
 * tell `acme/cli` from `umbrella/cli`, or to say more than a number.
 */
export function projectNames(ids: Iterable<string>): (id: string) => string {
  const all = [...new Set(ids)].map(partsOf);
  const endOf = (parts: readonly string[], length: number) => parts.slice(-length).join('/');
  return (id) => {
    const parts = partsOf(id);
    const others = all.filter((other) => other.join('/') !== parts.join('/'));
    const lengths = parts.map((_, index) => index + 1);
    const length = lengths.find(
      (tried) =>
        /\p{L}/u.test(endOf(parts, tried)) &&
        others.every((other) => endOf(other, tried) !== endOf(parts, tried)),
    );
    return endOf(parts, length ?? parts.length);
  };
}

/** Projects by names that tell them apart. */
export function named<T extends { id: string }>(projects: readonly T[] = []): (T & { name: string })[] {
  const nameOf = projectNames(projects.map(({ id }) => id));
  return projects.map((project) => ({ ...project, name: nameOf(project.id) }));
}
