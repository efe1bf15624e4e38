// Loaded by the soak into each thread of the daemon: the clock runs many times as fast, and so do the timers of
// housekeeping.
const speed = Number(process.env['REFLECT_FAST_FORWARD'] ?? 1);
const from = Number(process.env['REFLECT_FAST_FORWARD_FROM'] ?? 0);
const SLOW = 60_000; // ms; shorter timers are deadlines of things that take as long as ever

const RealDate = Date;
const now = () => Math.round(from + (RealDate.now() - from) * speed);
globalThis.Date = class extends RealDate {
  constructor(...given: [] | [string | number | Date]) {
    super(...((given.length === 0 ? [now()] : given) as [number])); // the real one takes the same
  }

  static override now = now;
} as DateConstructor;

const hurried = (delay: number | undefined) => (delay !== undefined && delay >= SLOW ? delay / speed : delay);
const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
globalThis.setTimeout = ((work: () => void, delay?: number, ...args: []) =>
  realTimeout(work, hurried(delay), ...args)) as typeof setTimeout;
globalThis.setInterval = (work: () => void, delay?: number, ...args: []) =>
  realInterval(work, hurried(delay), ...args);
