import type { Memory } from '#contract/outcomes.ts';

const SECTIONS: ReadonlyArray<[title: string, success: boolean | null]> = [
  ['Successful memories:', true],
  ['Failed memories:', false],
  ['Other memories:', null],
];

/** The task followed by its memories, grouped by outcome and numbered throughout; without memories, the task alone. */
export function augment(task: string, memories: readonly Memory[]): string {
  if (memories.length === 0) return task;
  let number = 0;
  const sections = SECTIONS.flatMap(([title, success]) => {
    const matching = memories.filter((memory) => memory.success === success);
    return matching.length === 0
      ? []
      : [
          title,
          ...matching.map(
            ({ task: past, reflection }) =>
              `--- Memory ${++number} ---\nPast task:\n${past}\n\nReflection:\n${reflection}`,
          ),
        ];
  });
  return [task, 'Relevant memories:', ...sections].join('\n\n');
}
