// Plain JavaScript without a dependency: whatever Node a machine has runs it, to find a newer one.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The Node that `npm ci` brings on systems whose package exists; undefined on others. It is named by its package,
 * because npm puts scripts and no program into `.bin` on Windows.
 * @param {string} root of the clone
 * @param {NodeJS.Platform} [system]
 * @param {string} [arch]
 */
exports.carriedNode = function carriedNode(root, system = process.platform, arch = process.arch) {
  const [name, program] = system === 'win32' ? ['win', 'node.exe'] : [system, 'node'];
  const file = join(root, 'node_modules', `node-${name}-${arch}`, 'bin', program);
  return existsSync(file) ? file : undefined;
};
