import { fileURLToPath } from 'node:url';
import * as regexp from 'eslint-plugin-regexp';
import { defineConfig } from 'oxlint';

export default defineConfig({
  plugins: ['typescript', 'react'],
  jsPlugins: [
    fileURLToPath(import.meta.resolve('eslint-plugin-regexp')),
    fileURLToPath(import.meta.resolve('./bin/lib/lint.mjs')),
  ],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error', respectEslintDisableDirectives: false },
  ignorePatterns: [
    'node_modules/',
    'build/',
    '.data/',
    '.cache/',
    'test-results/',
    'playwright-report/',
    'db/types.ts',
    '**/*.d.mts',
    '**/*.d.ts',
  ],
  rules: {
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-var': 'error',
    'prefer-const': 'error',
    // What reads in more than linear time holds a process that everybody shares.
    ...Object.fromEntries(
      Object.entries(regexp.configs['flat/recommended'].rules).filter(([name]) => name.startsWith('regexp/')),
    ),
    'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    // A group that only holds words together reads as well without `?:`, and words of one letter beside longer ones as words.
    'regexp/no-unused-capturing-group': 'off',
    'regexp/prefer-character-class': 'off',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        'typescript/no-floating-promises': 'error',
        // A React handler and an Express one may be async; a condition or a spread of a promise is a mistake.
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false, returns: false } }],
        'typescript/await-thenable': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/ban-ts-comment': 'error',
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        'no-unused-vars': [
          'error',
          { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
        ],
        'no-warning-comments': ['error', { terms: ['TODO:', 'FIXME'], location: 'start' }],
      },
    },
    {
      files: ['app/**/*.{ts,tsx}'],
      rules: { 'react/rules-of-hooks': 'error', 'react/exhaustive-deps': 'error', 'trastienda/pesos': 'error' },
    },
    // Its writer, and an axis of round amounts.
    { files: ['app/core/importe.ts', 'app/routes/cierre/reportes/grafica.tsx'], rules: { 'trastienda/pesos': 'off' } },
    {
      files: ['**/*.{js,mjs}'],
      env: { builtin: true, node: true },
      rules: { 'no-undef': 'error', 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
    },
  ],
});
