import { defineConfig } from 'vitest/config'

// Tests run on the sources: '@vicinal/source' is the condition under which our packages export their TypeScript.
const conditions = ['@vicinal/source', 'node', 'import', 'default']

/** What runs a second time on memory that is not shared and moves: the suites that every implementation runs, and whole methods. */
const restless = [
  'lifetimes',
  'search/{exact,inverted,forest,sparse-forest}/*-index',
  'search/forest/tuning',
  'label/*/*-classifier',
  'label/forest/{fit,scores,explain,contents}',
  'label/{forest/tuner,lcif/tuning,weights/feature-weights}',
  'forest/forest',
  'memory/{memory-tree,memory-properties,memory-contents,tree/routing-tree}',
  'collection/{collection,collection-properties,text/text-index}',
  'kernels/arena',
].map(name => `packages/core/src/${name}.test.ts`)

const excluded = (mode: string): string[] => [
  '**/node_modules/**',
  ...(mode === 'slow' || mode === 'hostile' ? [] : ['**/*.slow.test.ts']),
]

// `--mode slow` adds the slow tests (npm run test:slow), `--mode hostile` those and many more hostile cases (npm run test:hostile).
// Modes instead of variables, as cmd on Windows cannot set a variable for one command.
export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: excluded(mode),
        },
      },
      {
        extends: true,
        test: { name: 'unshared', include: restless, setupFiles: ['./packages/core/src/kernels/restless.cases.ts'] },
      },
    ],
    env: mode === 'hostile' ? { HOSTILE_LONG: '1' } : {},
    reporters: ['default', './tools/summary-reporter.ts'],
    // The longest take 20 s on an idle machine, and several times as long on a busy one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/generated/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { statements: 90, branches: 85, functions: 90, lines: 90 },
    },
  },
}))
