import { cpSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';

const outDir = path.resolve(import.meta.dirname, '../dist/app');

// The tray reads its pictures at run time, with the @2x ones beside them.
const copyIcons: Plugin = {
  name: 'copy-icons',
  closeBundle: () =>
    cpSync(path.join(import.meta.dirname, 'icons'), path.join(outDir, 'icons'), { recursive: true }),
};

function bundle(entry: string, format: 'es' | 'cjs', fileName: string): EnvironmentOptions {
  return {
    consumer: 'server',
    // Everything but Electron is bundled, so that the package needs no node_modules for the shell.
    resolve: { noExternal: true },
    build: {
      outDir,
      // Built first; what it leaves out comes later, and chunks of an earlier build must not stay.
      emptyOutDir: format === 'es',
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: path.resolve(import.meta.dirname, entry),
        external: ['electron', /^node:/, ...builtinModules],
        output: { format, entryFileNames: fileName, chunkFileNames: '[name]-[hash].js' },
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [copyIcons],
  environments: {
    main: bundle('main.ts', 'es', 'main.js'),
    // A sandboxed page's preload cannot be an ES module.
    preload: bundle('preload.ts', 'cjs', 'preload.cjs'),
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['main', 'preload'] as const) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
