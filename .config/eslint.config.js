import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/.release/**'] },
  tseslint.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['renderer/vite.config.ts'] },
        tsconfigRootDir: fileURLToPath(new URL('..', import.meta.url)),
        extraFileExtensions: ['.svelte'],
      },
    },
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // A `default` says that the rest is meant.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // Where the strict set is milder here, and why.
    rules: {
      // Numbers and booleans print as one expects.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => close()` is how a callback that returns nothing is written everywhere.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Our objects are closures without `this`, declared with method syntax and taken apart on purpose.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // A test's stand-in is async because what it stands in for is.
    files: ['**/*.test.ts', '**/testing.ts', '**/testing/**'],
    rules: { '@typescript-eslint/require-await': 'off' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    // svelte-check reads the types of components; ESLint would build the whole program anew for each of them.
    files: ['**/*.svelte'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  // Tools load their configuration as a default export.
  { files: ['**/*.config.{js,ts}', 'e2e/**'], rules: { 'no-restricted-exports': 'off' } },
  // CommonJS, because any Node must be able to run it.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
