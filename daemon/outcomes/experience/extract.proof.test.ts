import { expect, test } from 'vitest';
import { learn } from '../../knowledge/revise.ts';
import { learningsOfType } from '../../store/learnings/by-type.ts';
import { ingestCaptured } from '../../testing/captured.ts';
import { SessionEvents } from '../../testing/session-events.ts';
import { tempStore } from '../../testing/temp-home.ts';
import { toExperience } from './experience.ts';
import { takeExperiences } from './extract.ts';

const ON = { REFLECT_SIGNAL_EXPERIENCE: true };
const work = () =>
  new SessionEvents()
    .human('Make the totals test pass')
    .runs('npm test', 'FAIL totals\nError: expected 3 to be 4', { failed: true })
    .edits('totals.ts')
    .runs('npm test', '1 passed')
    .agent('Done.')
    .human('What is your name?')
    .agent('An agent.')
    .human('Deploy the preview')
    .runs('./deploy', 'Error: no credentials', { failed: true })
    .agent('It failed.')
    .human('Rename the module')
    .runs('git mv a b', '')
    .runs('npm run build', 'built')
    .happens({ kind: 'interruption' });

function experiencesOf(settings: object) {
  const store = tempStore();
  ingestCaptured(store, work().noticedToTheEnd({ ...settings }));
  const taken = takeExperiences(store, (note, reason) => learn(store, note, reason, 'test'));
  const again = takeExperiences(store, (note, reason) => learn(store, note, reason, 'test'));
  return { taken, again, experiences: learningsOfType(store.db, { type: 'experience' }).map(toExperience) };
}

test('a task with several tool calls or an error becomes one experience; talk does not, and with the signal off nothing does', () => {
  const { taken, again, experiences } = experiencesOf(ON);
  expect([taken, again]).toEqual([3, 0]);
  const [fixed, deployed, renamed] = [
    'Make the totals test pass',
    'Deploy the preview',
    'Rename the module',
  ].map((task) => experiences.find((experience) => experience.task === task));
  expect(fixed).toMatchObject({
    outcome: 'success',
    category: 'testing',
    quality: 4,
    project: 'github.com/acme/shop',
    lessons: expect.stringMatching(/^FAIL totals was overcome by: .*totals\.ts.*npm test/) as string,
  });
  expect(fixed?.keywords).toEqual(expect.arrayContaining(['totals', 'test']));
  expect(fixed?.trace).toContain('`npm test` (failed)');
  expect(deployed).toMatchObject({
    outcome: 'failed',
    lessons: expect.stringContaining('Error: no credentials') as string,
  });
  expect(renamed).toMatchObject({ outcome: 'partial' });
  expect(experiencesOf({}).experiences).toEqual([]);
});

test('the number of calls that make a task is a setting', () => {
  const tasks = (calls: number) =>
    experiencesOf({ ...ON, REFLECT_EXPERIENCE_TOOL_CALLS: calls })
      .experiences.map(({ task }) => task)
      .toSorted();
  expect(tasks(9)).toEqual(['Deploy the preview', 'Make the totals test pass']); // both met an error
});
