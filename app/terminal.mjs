import { spawn } from 'node:child_process';

const TICK_MS = 1_000;

/** @param {string} sentence */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

/**
 * Says what is being done, with its seconds: counted in place on a terminal, once at the end elsewhere.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1_000);
  const draw = () => process.stdout.write(`\r\x1b[2K${label} … ${seconds()} s`);
  const timer = process.stdout.isTTY ? setInterval(draw, TICK_MS) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    say(`${process.stdout.isTTY ? '\r\x1b[2K' : ''}${label} … ${seconds()} s`);
  }
}

/** A command's output, and true if it succeeded. @typedef {{ ok: boolean, output: string }} Outcome */

/**
 * Runs a command to its end; what it prints is kept for the one who asks, for only failures are worth reading.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Outcome>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => (output += chunk);
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', ({ message }) => resolve({ ok: false, output: message }));
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}

const ORPHAN_CHECK_MS = 500;

/**
 * True when the parent of a process is gone. POSIX systems give it another one; Windows keeps the number, so it is
 * looked up.
 * @param {number} parent at the start
 * @param {number} now
 * @param {NodeJS.Platform} system
 * @param {(pid: number) => boolean} isAlive
 */
export function isOrphaned(parent, now, system, isAlive) {
  return now !== parent || (system === 'win32' && !isAlive(parent));
}

const isAlive = (/** @type {number} */ pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Calls once when whoever started us is gone: npm runs us through a shell that dies of a signal without passing it on.
 * @param {() => void} callback
 */
export function whenOrphaned(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (!isOrphaned(parent, process.ppid, process.platform, isAlive)) return;
    clearInterval(timer);
    callback();
  }, ORPHAN_CHECK_MS);
  timer.unref();
}
