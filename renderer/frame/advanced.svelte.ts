import * as z from 'zod';
import { remember, remembered } from '../ui/remember.ts';

/** The choice to list the pages and settings that show how Reflect decides. */
export class Advanced {
  shown = $state(remembered('advanced', z.boolean(), false));

  show(shown: boolean): void {
    this.shown = shown;
    remember('advanced', shown);
  }
}
