import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { VERSION } from '../platform/version.ts';
import { contractDeclarations } from './declarations.ts';

const here = (name: string) => path.join(import.meta.dirname, name);
const DECLARED = ['client.ts', 'traced-run.ts'];
const out = path.resolve(process.argv[2] ?? here('../../dist/client'));

// Run `node daemon/client/pack.ts`, then `npm pack` or `npm publish` in dist/client: one file of code, its types, no
// dependencies.
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await bundle();
declare();
cpSync(here('README.md'), path.join(out, 'README.md'));
write('contract.d.ts', contractDeclarations(VERSION));
write('package.json', `${JSON.stringify(description(), null, 2)}\n`);

function write(name: string, text: string): void {
  writeFileSync(path.join(out, name), text);
}

async function bundle(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: here('.'),
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: here('client.ts'),
      outDir: out,
      emptyOutDir: false,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'client.js' } },
    },
  });
}

/** Types of the client's own files. Those of the contract are written again, because they would need zod. */
function declare(): void {
  const program = ts.createProgram(DECLARED.map(here), {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    noCheck: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
  });
  for (const name of DECLARED)
    program.emit(program.getSourceFile(here(name)), (file, text) =>
      write(
        path.basename(file),
        text.replaceAll(/'(\.\/[^']+)\.ts'/g, `'$1.js'`).replaceAll(/"(\.\/[^"]+)\.ts"/g, `'$1.js'`),
      ),
    );
}

function description(): object {
  return {
    name: 'reflect-client',
    version: VERSION,
    description: 'Memories for agents written in TypeScript, from the Reflect daemon on this machine.',
    license: 'MIT',
    author: 'The Reflect authors',
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './client.d.ts', default: './client.js' }, './package.json': './package.json' },
    imports: { '#contract/*': { types: './contract.d.ts' } },
    files: ['client.js', '*.d.ts'],
  };
}
