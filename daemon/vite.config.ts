import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type EnvironmentOptions } from 'vite';

const here = (file: string) => path.resolve(import.meta.dirname, file);

// Packages with a native library stay in node_modules, where their loader finds it; the rest is bundled for a quick
// start.
const NATIVE = ['better-sqlite3', 'sqlite-vec', 'onnxruntime-node'];

function bundle(
  input: Record<string, string>,
  format: 'es' | 'cjs',
  extension: string,
  emptyOutDir: boolean,
): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { noExternal: true, external: NATIVE },
    build: {
      outDir: here('../dist/daemon'),
      emptyOutDir,
      target: 'node22',
      minify: format === 'cjs',
      sourcemap: format === 'es',
      rolldownOptions: {
        input,
        external: [/^node:/, ...builtinModules, ...NATIVE],
        // All in one folder: workers are found beside whoever starts them.
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
        },
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  environments: {
    daemon: bundle(
      {
        main: here('main.ts'),
        cli: here('cli/main.ts'),
        'capture-worker': here('capture/worker.ts'),
        'inference-worker': here('inference/worker.ts'),
        'check-worker': here('store/check-thread.ts'),
        'archive-worker': here('archive/archive-thread.ts'),
      },
      'es',
      'js',
      true,
    ),
    // One small file with nothing to resolve: it runs at every step of an agent.
    hook: bundle({ hook: here('hooks/client.ts') }, 'cjs', 'cjs', false),
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['daemon', 'hook'] as const) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
