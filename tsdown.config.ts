import { defineConfig } from 'tsdown'

const shared = {
  format: 'esm',
  target: 'es2023',
  sourcemap: true,
  fixedExtension: true,
  dts: { sourcemap: true },
  // Maps refer to the sources, which are in the package too, instead of holding them once more.
  outputOptions: { sourcemapExcludeSources: true },
  tsconfig: 'tsconfig.json',
} as const

export default defineConfig([
  {
    ...shared,
    cwd: 'packages/core',
    entry: ['src/index.ts', 'src/data.ts', 'src/margin.ts', 'src/memory.ts'],
    platform: 'neutral',
    // The script of worker threads as a file, for pages that may not start workers from strings.
    copy: [{ from: ['src/kernels/worker.mjs', 'src/kernels/worker.d.mts'], to: 'dist' }],
  },
  { ...shared, cwd: 'packages/server', entry: ['src/index.ts'], platform: 'node' },
  {
    ...shared,
    cwd: 'packages/vicinal',
    entry: {
      index: 'src/index.ts',
      command: 'src/command/main.ts',
      'library/main': 'src/formats/library/main.mjs',
    },
    platform: 'node',
    // The demo's titles travel with the command; their README carries the credits.
    copy: [{ from: ['../../data/titles-*.gz', '../../data/subjects.tsv', '../../data/README.md'], to: 'dist/data' }],
  },
])
