import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const MOST = 32; // MB; half of it holds objects, the other half takes those that survive a collection

const sizeMb = () =>
  (getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0) /
  2 ** 20;

/**
 * V8 lets the space for short-lived objects double with every burst, up to 128 MB, and keeps it while there is work: a
 * busy day then takes a hundred megabytes more than it needs. From 32 MB on it grows no further. The limit can only be
 * given when a process starts, and not to every runtime; the factor counts from the moment it is set.
 */
export function limitYoungGeneration(): void {
  const observer = new PerformanceObserver(() => {
    if (sizeMb() < MOST) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
