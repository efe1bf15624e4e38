import type { LearningReport, Loop, LoopAnalysis, LoopIteration } from '#contract/loops.ts';
import { contentTerms } from '../../text/tokenise.ts';
import { rewardOf } from './reward.ts';

interface AnalysedLoop {
  loop: Loop;
  iterations: LoopIteration[];
}

/** Figures on how one loop learned. */
function analyse({ loop, iterations }: AnalysedLoop): LoopAnalysis {
  const learningCurve = iterations.map(({ record }) => ({
    iteration: record.iteration,
    reward: rewardOf(record.evaluator_output),
    errors: record.evaluator_output.errors?.length ?? 0,
    passed: record.evaluator_output.passed,
    isImprovement: record.performance_delta?.is_improvement ?? false,
  }));
  const rewards = learningCurve.map(({ reward }) => reward);
  const [first = 0] = rewards;
  const success = learningCurve.findIndex(({ passed }) => passed);
  const reflections = iterations.flatMap(({ record }) => record.self_reflection ?? []);
  return {
    loopId: loop.id,
    task: loop.task,
    status: loop.status,
    iterations: iterations.length,
    learningCurve,
    learningRate: rewards.length > 1 ? ((rewards.at(-1) ?? 0) - first) / rewards.length : 0,
    improvement: rewards.length > 0 ? Math.max(...rewards) - first : 0,
    breakthroughs: learningCurve
      .filter(({ isImprovement }) => isImprovement)
      .map(({ iteration }) => iteration),
    timeToSuccess: success < 0 ? null : success + 1,
    failureCategories: counted(
      reflections.map(({ credit_assignment: credit }) => credit?.failure_category ?? 'other'),
    ),
    lessons: reflections.reduce((sum, { lessons_learned: lessons = [] }) => sum + lessons.length, 0),
    averageConfidence: average(reflections.flatMap(({ confidence }) => confidence ?? [])),
    reuseRate: average(reuse(iterations)) ?? 0,
    flagged: iterations.filter(({ flags }) => flags.length > 0).length,
  };
}

/** For each attempt after a reflection: 1 if it used one, otherwise 0. */
function reuse(iterations: readonly LoopIteration[]): number[] {
  return iterations
    .filter((_, index) => iterations.slice(0, index).some(({ record }) => record.self_reflection))
    .map(({ record }) => ((record.previous_reflections_used?.length ?? 0) > 0 ? 1 : 0));
}

export function report(all: readonly AnalysedLoop[]): LearningReport {
  const loops = all.map(analyse);
  const ended = loops.filter(({ status }) => status !== 'running');
  return {
    loops,
    successRate: average(ended.map(({ status }) => (status === 'completed' ? 1 : 0))) ?? 0,
    averageLearningRate: average(loops.map(({ learningRate }) => learningRate)) ?? 0,
    averageIterations: average(loops.map(({ iterations }) => iterations)) ?? 0,
    reuseRate: average(all.flatMap(({ iterations }) => reuse(iterations))) ?? 0,
    failureCategories: loops.reduce<Record<string, number>>((sum, { failureCategories }) => {
      for (const [category, times] of Object.entries(failureCategories))
        sum[category] = (sum[category] ?? 0) + times;
      return sum;
    }, {}),
    repeatedLessons: repeated(all),
  };
}

/** Lessons with the same words, in any order, in several loops. */
function repeated(all: readonly AnalysedLoop[]): LearningReport['repeatedLessons'] {
  const lessons = all.flatMap(({ loop, iterations }) =>
    iterations
      .flatMap(({ record }) => record.self_reflection?.lessons_learned ?? [])
      .map((lesson) => ({ loop: loop.id, lesson })),
  );
  const groups = Map.groupBy(lessons, ({ lesson }) => [...contentTerms(lesson)].toSorted().join(' '));
  return [...groups.values()]
    .map((group) => ({ lesson: group[0]?.lesson ?? '', loops: [...new Set(group.map(({ loop }) => loop))] }))
    .filter(({ loops }) => loops.length > 1)
    .toSorted((a, b) => b.loops.length - a.loops.length);
}

function counted(words: readonly string[]): Record<string, number> {
  return words.reduce<Record<string, number>>((sum, word) => ({ ...sum, [word]: (sum[word] ?? 0) + 1 }), {});
}

const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
