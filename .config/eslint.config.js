import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Svelte's own rules, and those for the scripts of components. Everything else is read by oxlint, see oxlint.jsonc. */
export default defineConfig(
  {
    files: ['**/*.svelte'],
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // A missing row of a list that was just filled.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
  // Brings its own parser, so it comes after the rules of TypeScript.
  { files: ['**/*.svelte', '**/*.svelte.ts'], extends: [svelte.configs.recommended] },
  { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  // TypeScript as it is; Svelte's parser would change the text first.
  { files: ['**/*.svelte.ts'], languageOptions: { parser: tseslint.parser } },
);
