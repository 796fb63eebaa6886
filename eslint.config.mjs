import communityNodes from '@n8n/eslint-plugin-community-nodes'
import n8nBase from 'eslint-plugin-n8n-nodes-base'
import tseslint from 'typescript-eslint'

/**
 * n8n's lint for community nodes, except the rules that only n8n Cloud needs: those against Node's modules and globals.
 */
const community = communityNodes.configs.recommendedWithoutN8nCloudSupport
const communityPlugins = { ...community.plugins, 'n8n-nodes-base': n8nBase }

export default tseslint.config(
  { ignores: ['**/node_modules', 'dist', 'results', 'charts', 'tools/bin', '**/*.js', 'loadtests/scenarios'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      'max-len': ['error', { code: 120 }],
      '@typescript-eslint/no-explicit-any': 'off', // rendered manifests and n8n's own types are read as they come
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['loadtests/src/**/*.ts', 'nodes/**/*.ts'],
    rules: { 'max-depth': ['error', 3] },
  },
  // A table that a program makes, and the loops over its axes.
  { files: ['loadtests/src/judge/estimate/capacities.ts'], rules: { 'max-len': 'off' } },
  { files: ['loadtests/src/judge/estimate/twin.ts'], rules: { 'max-depth': ['error', 5] } },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  // The file that contains it calls it.
  { files: ['loadtests/src/chart/pm2/preload.cjs'], rules: { '@typescript-eslint/no-unused-vars': 'off' } },
  {
    files: ['nodes/**/*.ts'],
    plugins: communityPlugins,
    rules: { ...community.rules, ...n8nBase.configs.nodes.rules },
  },
  {
    files: ['package.json'],
    plugins: communityPlugins,
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
    rules: {
      ...community.rules,
      ...n8nBase.configs.community.rules,
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
)
