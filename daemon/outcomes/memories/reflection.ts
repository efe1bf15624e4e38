import { Note, type NoteInput } from '#contract/entities.ts';
import type { StoredTrace } from '../../store/outcomes/traces.ts';
import { placeOnBranch } from '../../drain/branch-bound.ts';
import { beginning } from '../../text/one-line.ts';
import { firstSentence } from '../../text/sentences.ts';
import { countWords } from '../../text/tokenise.ts';
import { errorsIn, stepsOf, toolsIn } from './trajectory.ts';

const LONGEST_TITLE = 160;
const LONGEST_FIELD = 1_000;
const LEAST_WORDS = 4;

/** The note for a reviewed run: the writer's lesson if there is one, completed from the run itself. */
export function reflectionNote(trace: StoredTrace, worded: NoteInput | null): Note {
  const { task, result, trajectory, metadata, project, branch, session, id } = trace;
  const passed = result === 'pass';
  const tools = toolsIn(trajectory);
  const mistake = passed ? '' : worded?.problem || mistakeOf(trace);
  const action = worded?.fix || (passed ? actionOf(trace) : '');
  const guidance = worded?.rule || worded?.keyInsight || guidanceOf(trace, mistake, action);
  const note = Note.parse({
    ...wording(worded),
    title:
      worded?.title ??
      beginning(`${passed ? 'Done' : 'Failed'}: ${firstSentence(task, LONGEST_TITLE)}`, LONGEST_TITLE),
    type: 'memory',
    outcome: passed ? 'pass' : 'fail',
    // A failure without a reason teaches nothing yet: it waits for a person, or for a run that says more.
    status: passed || worded || mistake || ownAccount(trace) ? 'active' : 'candidate',
    task,
    summary: firstSentence(task, 400),
    keyMistake: mistake,
    correctAction: action,
    guidance,
    rule: guidance,
    fix: action,
    problem: mistake,
    applicableTools: tools.filter((tool) =>
      `${guidance} ${action} ${mistake}`.toLowerCase().includes(tool.toLowerCase()),
    ),
    toolsUsed: tools,
    metadata: { ...worded?.metadata, ...metadata, trace: id },
    project,
    scope: project ? 'project' : 'global',
    provenance: { agent: 'trace', session, quote: beginning(trace.feedback, 400) },
  });
  return { ...note, ...placeOnBranch(note, branch) };
}

/** Fields that the writer decides, besides the lesson. */
function wording(worded: NoteInput | null): Partial<NoteInput> {
  if (!worded) return { confidence: 0.5 };
  const { category, tags, confidence, rootCause, keyInsight, body, entities, relations } = worded;
  return { category, tags, confidence, rootCause, keyInsight, body, entities, relations };
}

function mistakeOf({ feedback, trajectory }: StoredTrace): string {
  return beginning(feedback || errorsIn(stepsOf(trajectory))[0] || '', LONGEST_FIELD);
}

/** The last tool calls of a successful run; a tool's bare name says nothing. */
function actionOf({ trajectory }: StoredTrace): string {
  const calls = stepsOf(trajectory)
    .filter(({ tool, text }) => tool !== undefined && text !== '')
    .slice(-3);
  return calls.map(({ tool, text }) => beginning(`${tool} ${text}`, 160)).join('; then ');
}

function guidanceOf(trace: StoredTrace, mistake: string, action: string): string {
  const { task, result, feedback } = trace;
  const about = `“${firstSentence(task, 200)}”`;
  const said = ownAccount(trace);
  if (result === 'fail') {
    if (mistake) return `Working on ${about}, avoid this: ${mistake}`;
    return said
      ? `An attempt at ${about} failed although the agent said: ${said}`
      : `An attempt at ${about} failed; no reason was given.`;
  }
  const how = feedback || said || action;
  const [overcome] = errorsIn(stepsOf(trace.trajectory));
  const past = overcome ? ` On the way: ${beginning(overcome, 200)}` : '';
  return how ? `This went well for ${about}: ${beginning(how, LONGEST_FIELD)}${past}` : `${about} went well.`;
}

/** The agent's own last words about the run that say more than that it is done. */
function ownAccount({ finalResponse, trajectory }: StoredTrace): string {
  const texts = stepsOf(trajectory).flatMap(({ role, text }) => (role === 'agent' ? [text] : []));
  const account = [...texts, finalResponse].findLast((text) => countWords(text) >= LEAST_WORDS) ?? '';
  return beginning(account, 400);
}
