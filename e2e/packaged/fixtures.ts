import type { Input, Method, Output, Reply } from '#contract/methods.ts';
import { test as base } from '../fixtures.ts';
import type { PackagedApp } from './packaged-app.ts';

/** A test on a machine that has never seen Reflect. */
export const test = base.extend({ bare: true });

/** Asks the daemon as the app's own page does. */
export async function ask<M extends Method>(
  { page }: PackagedApp,
  method: M,
  input: Input<M>,
): Promise<Output<M>> {
  const reply: Reply = await page.evaluate(([name, argument]) => window.daemon.send(name, argument), [
    method,
    input,
  ] as const);
  if (!reply.ok) throw new Error(`${reply.code} ${reply.detail}`);
  return reply.value as Output<M>; // the daemon has checked it
}
