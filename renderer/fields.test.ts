import { type AST, parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const COMPONENTS = import.meta.glob<string>('./**/*.svelte', {
  query: '?raw',
  import: 'default',
  eager: true,
});

// Reasons why nothing typed is lost. e2e/browser/drafts.spec.ts types into each field that is kept and ends its window.
const DRAFT = 'a draft, kept until it is saved or discarded';
const REMEMBERED = 'remembered by its state, which is tested';
const SEARCH = 'a search box: it changes nothing, and what it found is typed again in a second';

const FIELDS: Record<string, string> = {
  'frame/DraftField.svelte: text': DRAFT,
  'frame/Palette.svelte: palette.typed': SEARCH,
  'inbox/CandidateDecision.svelte: inbox.wording': DRAFT,
  'inbox/GapDecision.svelte: inbox.answer': DRAFT,
  'inbox/Merge.svelte: resultOf(field)': DRAFT,
  'learnings/BulkBar.svelte: draft.typed': DRAFT,
  'learnings/EditForm.svelte: draft.body': DRAFT,
  'learnings/EditForm.svelte: draft.category': DRAFT,
  'learnings/EditForm.svelte: draft.project': DRAFT,
  'learnings/EditForm.svelte: draft.tags': DRAFT,
  'learnings/EditForm.svelte: draft.title': DRAFT,
  'learnings/EditForm.svelte: draft.type': DRAFT,
  'learnings/EditForm.svelte: draft[field]': DRAFT,
  'learnings/NewLearning.svelte: draft.title': DRAFT,
  'learnings/NewLearning.svelte: draft.why': DRAFT,
  'quick-search/QuickSearch.svelte: search.typed': SEARCH,
  'slots/NewSlotForm.svelte: creating.description': DRAFT,
  'slots/NewSlotForm.svelte: creating.name': DRAFT,
  'slots/NewSlotForm.svelte: creating.sizeLimit': DRAFT,
  'slots/SlotDetail.svelte: screen.draft': DRAFT,
  'team/PathForm.svelte: path': REMEMBERED,
  'team/Spaces.svelte: screen.name': REMEMBERED,
  'team/Spaces.svelte: screen.url': REMEMBERED,
  'ui/SearchField.svelte: value': SEARCH,
};
/** Kinds of input that hold a choice, which is made at once, and no text. */
const CHOICES = ['checkbox', 'radio', 'range'];

/** The text fields of a component, each by the expression of its value. */
function fieldsOf([file, source]: [string, string]): string[] {
  if (!/<(input|textarea)|contenteditable/.test(source)) return [];
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'RegularElement') {
      const element = node as AST.RegularElement;
      if (isTextField(element, source)) found.push(`${file.slice(2)}: ${valueOf(element, source)}`);
    }
    for (const part of Object.values(node)) visit(part);
  };
  visit(parse(source, { modern: true }).fragment);
  return found;
}

function isTextField({ name, attributes }: AST.RegularElement, source: string): boolean {
  const texts = attributes.map(({ start, end }) => source.slice(start, end));
  if (texts.some((text) => text.startsWith('contenteditable'))) return true;
  const isChoice = CHOICES.some((type) => texts.includes(`type="${type}"`));
  return name === 'textarea' || (name === 'input' && !isChoice);
}

const valueOf = ({ attributes }: AST.RegularElement, source: string): string =>
  attributes
    .map(({ start, end }) => source.slice(start, end))
    .map((text) => /^(?:bind:)?value=\{([^]*)\}$/.exec(text)?.[1] ?? /^\{(value)\}$/.exec(text)?.[1])
    .find((value) => value !== undefined) ?? 'nothing';

test('every field that text is typed into keeps it, or is a search box', () => {
  expect(Object.entries(COMPONENTS).flatMap(fieldsOf).toSorted()).toEqual(Object.keys(FIELDS).toSorted());
});
