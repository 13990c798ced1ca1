import { defineConfig } from 'vitest/config'

// Tests run on the sources: '@vicinal/source' is the condition under which our packages export their TypeScript.
const conditions = ['@vicinal/source', 'node', 'import', 'default']

// `--mode slow` adds the slow tests (npm run test:slow), `--mode hostile` those and many more hostile cases (npm run test:hostile).
// Modes instead of variables, as cmd on Windows cannot set a variable for one command.
export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(mode === 'slow' || mode === 'hostile' ? [] : ['**/*.slow.test.ts'])],
    env: mode === 'hostile' ? { HOSTILE_LONG: '1' } : {},
    reporters: ['default', './tools/summary-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: {
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/generated/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { statements: 90, branches: 85, functions: 90, lines: 90 },
    },
  },
}))
