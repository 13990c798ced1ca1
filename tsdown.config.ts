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

/** An import of nothing, left where all that was used got inlined: bundlers would warn that it does nothing. */
const withoutBareImports = {
  name: 'without-bare-imports',
  generateBundle(_: unknown, bundle: Record<string, { code?: string }>) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code) chunk.code = chunk.code.replace(/^import "\.[^"]*";$/gm, '')
    }
  },
}

export default defineConfig([
  {
    ...shared,
    cwd: 'packages/core',
    entry: ['src/index.ts', 'src/data.ts', 'src/kernels.ts', 'src/margin.ts', 'src/memory.ts'],
    platform: 'neutral',
    // One module a source file: bundlers then ship what a page uses, file by file.
    unbundle: true,
    // package.json says so to bundlers: no file does anything when it is imported.
    treeshake: { moduleSideEffects: false },
    plugins: [withoutBareImports],
    copy: [
      // The script of worker threads as a file, for pages that may not start workers from strings.
      { from: ['src/kernels/worker.mjs', 'src/kernels/worker.d.mts'], to: 'dist' },
      { from: ['src/kernels/generated/*.wasm'], to: 'dist/wasm' },
    ],
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
