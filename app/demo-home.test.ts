import { expect, onTestFinished, test } from 'vitest';
import { chooseHome } from './demo-home.ts';

test('another link to the demo comes from the demo, not from the home of the person who runs it', () => {
  const person = { HOME: '/home/ada', REFLECT_HOME: '/home/ada/.reflect' };
  const demo = chooseHome(['--demo'], person);
  onTestFinished(demo.remove);
  expect(demo.env['REFLECT_HOME']).not.toBe(person.REFLECT_HOME);
  expect(demo.uiCommand).toBe(`REFLECT_HOME=${demo.env['REFLECT_HOME']} npx reflect ui`);
  expect(chooseHome([], person)).toMatchObject({ env: person, uiCommand: 'npx reflect ui' });
});
