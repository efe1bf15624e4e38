import { expect, test } from 'vitest';
import { isCode } from './is-code.ts';

test.each([
  'def parse_date(text, zone=None):',
  'export async function fetchAll(urls: string[]) {',
  'pub fn retry<T>(attempts: u32) -> T {',
  'public class OrderService {',
  'const clients = new Map();\nclients.clear();',
  '@app.route("/health")\ndef health():',
])('%s is code', (text) => expect(isCode(text)).toBe(true));

test.each([
  'Use pnpm here, never npm',
  'class names are written in PascalCase',
  'Function names start with a verb: getUser, not user',
  '`const` over `let` where nothing is reassigned',
  'Let us keep the interface small.',
])('%s is prose', (text) => expect(isCode(text)).toBe(false));
