import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  // Relative, so that the same files work from the daemon's HTTP server and from Electron's own scheme.
  base: './',
  plugins: [svelte()],
  build: {
    outDir: here('../dist/renderer'),
    emptyOutDir: true,
    target: 'es2024',
    // Inlined assets would be data: URLs, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    rolldownOptions: { input: [here('index.html'), here('quick-search.html')] },
  },
});
