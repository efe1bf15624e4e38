import { expect, test } from 'vitest';
import { routeIn, routeOfLink } from './links.ts';

test('a link leads to the page it names', () => {
  expect(routeOfLink('reflect://inbox')).toBe('/inbox');
  expect(routeOfLink('reflect://learnings/use-pnpm-1?q=a%20b')).toBe('/learnings/use-pnpm-1?q=a%20b');
});

test('anything else is no link', () => {
  for (const text of ['', 'reflect:', 'reflect://', 'https://inbox', 'reflect://in:box@evil/', '--hidden'])
    expect(routeOfLink(text), text).toBeUndefined();
  expect(routeOfLink(`reflect://learnings/${'x'.repeat(3_000)}`)).toBeUndefined();
});

test('a start is searched for a link', () => {
  expect(routeIn(['/opt/Reflect/reflect-desktop', '--no-sandbox', 'reflect://inbox'])).toBe('/inbox');
  expect(routeIn(['/opt/Reflect/reflect-desktop', '/home/ada/file'])).toBeUndefined();
});
