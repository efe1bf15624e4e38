#!/usr/bin/env node
// Started by whatever `node` is at hand: a hook goes straight to its small client, everything else to a Node that can
// run it.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { carriedNode } = require('./carried-node.cjs');

const root = join(__dirname, '..', '..');
const dist = join(root, 'dist', 'daemon');

if (process.argv[2] === 'hook') {
  process.argv.splice(2, 1);
  try {
    require(join(dist, 'hook.cjs'));
  } catch {
    process.exit(0);
  }
} else {
  void runCli();
}

function runCli() {
  const cli = join(dist, 'cli.js');
  if (!existsSync(cli))
    fail('Reflect is not built yet. Run `npm start` or `npm run build` in its folder first.');
  if (Number(process.versions.node.split('.')[0]) >= 22)
    return import(require('node:url').pathToFileURL(cli).href);
  const node = carriedNode(root);
  if (!node)
    return fail(
      `Reflect needs Node 22 or newer; this is ${process.version}. Install a newer one, or run \`npm ci\` in Reflect's folder, which brings it.`,
    );
  const child = require('node:child_process').spawnSync(node, [__filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(child.status === null ? 1 : child.status);
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  process.stderr.write(`reflect: ${sentence}\n`);
  process.exit(1);
}
