import type { Handlers } from '#contract/methods.ts';
import { calibrate } from '../recall/calibrate.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { recallPartsOf } from './recall.ts';

export function calibrateHandlers(parts: DaemonParts): Pick<Handlers, 'recall.calibrate'> {
  return {
    'recall.calibrate': async ({ write }) => {
      const calibration = await calibrate(recallPartsOf(parts));
      if (write)
        for (const [name, value] of Object.entries(calibration.proposed)) parts.settings.set(name, value);
      return { ...calibration, written: write };
    },
  };
}
