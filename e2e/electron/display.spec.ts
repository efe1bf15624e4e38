import { expect, test } from '@playwright/test';
import { openDisplay } from '../display.ts';

test('a screen that cannot be opened names the packages to install, and installs nothing unasked', async () => {
  test.skip(process.platform !== 'linux', 'only Linux needs a screen of its own');
  const before = { ...process.env };
  try {
    for (const name of ['CI', 'REFLECT_E2E_INSTALL']) delete process.env[name];
    process.env['PATH'] = '';
    await expect(openDisplay('/no/electron')).rejects.toThrow(/Missing here: Xvfb.*apt-get install xvfb/);
  } finally {
    process.env = before;
  }
});
