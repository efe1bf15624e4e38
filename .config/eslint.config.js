import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/.release/**'] },
  tseslint.configs.strictTypeChecked,
  // Its rules look for components in every file they are given.
  { files: ['**/*.svelte', '**/*.svelte.ts'], extends: [svelte.configs.recommended] },
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
      // `() => close()` and `return close()` in a function without a result are read at a glance.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Our objects are closures without `this`, declared with method syntax and taken apart on purpose.
      '@typescript-eslint/unbound-method': 'off',
      // The compiler reports these: `noUnusedLocals`, `noUnusedParameters`.
      '@typescript-eslint/no-unused-vars': 'off',
      // `erasableSyntaxOnly` refuses enums. Looking for them at every assignment took a quarter of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      // It does not see what changes during an `await`, and calls checks needless that are needed (22 findings).
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `text += chunk` with a Buffer is how output is collected.
      '@typescript-eslint/restrict-plus-operands': [
        'error',
        { allowAny: true, skipCompoundAssignments: true },
      ],
      // A missing row of a list that was just filled; 48 places in the renderer, to be gone through one by one.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Parsed JSON and packages without types, about 40 places, most of them checked by zod on the next line.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Its findings are Buffers of sockets and words of the command line, typed wider than they are.
      '@typescript-eslint/no-base-to-string': 'off',
      // It took a quarter of the time to name MCP's older protocol, which clients still speak. Editors strike such calls out.
      '@typescript-eslint/no-deprecated': 'off',
      // `[...text]` takes a text apart by code points, on purpose.
      '@typescript-eslint/no-misused-spread': 'off',
      // A setting or variable is unset by deleting its key; there is no other way for `process.env`.
      '@typescript-eslint/no-dynamic-delete': 'off',
      // `read<Report>()` names what untyped data is taken for at the one place that knows.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Where a type promises a promise, `async` lets it reject instead of throw.
      '@typescript-eslint/require-await': 'off',
      // Tests put secrets together from pieces, so that scanners do not take them for real ones.
      '@typescript-eslint/no-unnecessary-template-expression': 'off',
    },
  },
  {
    files: ['**/*.svelte'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    // TypeScript as it is. Svelte's parser would change the text first, and then the types are worked out anew for each file.
    files: ['**/*.svelte.ts'],
    languageOptions: { parser: tseslint.parser },
  },
  {
    // svelte-check reads the types of components; ESLint would build the whole program anew for each of them.
    files: ['**/*.svelte'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-unused-vars': 'error' },
  },
  // Tools load their configuration as a default export.
  {
    files: ['**/*.config.{js,ts}', '.config/client-environment.ts', 'e2e/**'],
    rules: { 'no-restricted-exports': 'off' },
  },
  // CommonJS, because any Node must be able to run it.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
