import communityNodes from '@n8n/eslint-plugin-community-nodes'
import n8nBase from 'eslint-plugin-n8n-nodes-base'
import tseslint from 'typescript-eslint'

/** Rooms of the lab: they meet in run*.ts and speak in plain data, so they share types and nothing else. */
const rooms = ['profile', 'workload', 'chart', 'target', 'load', 'observe', 'search', 'analyse', 'record', 'report', 'calibrate', 'baseline', 'convert', 'outside', 'learn']
const otherRooms = (room) => rooms.filter((other) => other !== room)

const roomRules = rooms.map((room) => ({
  files: [`loadtests/src/${room}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          { group: [`../{${otherRooms(room)}}/**`, `../../{${otherRooms(room)}}/**`], allowTypeImports: true, message: 'Rooms do not import each other; they meet in run.ts.' },
          { group: ['**/cli/**', '**/run.ts', '**/run-cell.ts', '**/run-plan.ts', '**/run-step.ts', '**/run-explain.ts', '**/main.ts'], message: 'Imports point downwards only: main → cli → run → rooms.' },
        ],
      },
    ],
  },
}))

/** n8n's lint for community nodes, but for what only n8n Cloud forbids: the modules of Node and its globals. */
const community = communityNodes.configs.recommendedWithoutN8nCloudSupport
const communityPlugins = { ...community.plugins, 'n8n-nodes-base': n8nBase }

export default tseslint.config(
  { ignores: ['**/node_modules', 'dist', 'results', 'charts', 'tools/bin', '**/*.js', 'loadtests/scenarios'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'off', // rendered manifests and n8n's own types are read as they come
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['loadtests/src/**/*.ts', 'nodes/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  // The file that it becomes a part of calls it.
  { files: ['loadtests/src/target/pm2/preload.cjs'], rules: { '@typescript-eslint/no-unused-vars': 'off' } },
  ...roomRules,
  {
    files: ['nodes/**/*.ts'],
    plugins: communityPlugins,
    rules: { ...community.rules, ...n8nBase.configs.nodes.rules },
  },
  {
    files: ['package.json'],
    plugins: communityPlugins,
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
    rules: { ...community.rules, ...n8nBase.configs.community.rules, '@typescript-eslint/no-unused-expressions': 'off' },
  },
)
