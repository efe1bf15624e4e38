import * as z from 'zod';
import { isMac } from './keys.ts';
import { remember, remembered } from './remember.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
type ThemeChoice = (typeof THEMES)[number];

const Choice = z.enum(THEMES);

/** Light, dark or as the system says; shared by all windows of this origin. */
export class Theme {
  choice = $state<ThemeChoice>(remembered('theme', Choice, 'system'));

  apply(): void {
    document.documentElement.classList.toggle('mac', isMac());
    if (this.choice === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.choice;
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice;
    remember('theme', choice);
    this.apply();
  }

  /** Follows the choice made in another window. */
  follow(): void {
    window.addEventListener('storage', () => {
      this.choice = remembered('theme', Choice, 'system');
      this.apply();
    });
  }
}
