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

/** Those of the main entry, in the order that compresses best. */
const kernels = ['sparse', 'label', 'forest-label', 'trees', 'forest', 'exact']

/**
 * Bundlers put modules in the order in which they first meet them. The kernels' bytes are alike, so gzip makes them smaller when they stand
 * together: all of core by 5 %, ForestIndex by 4 %. The main entry names them first, and uses none: pages ship those that they need.
 */
const kernelsFirst = {
  name: 'kernels-first',
  generateBundle(_: unknown, bundle: Record<string, { code?: string }>) {
    const entry = bundle['index.mjs']
    if (entry?.code === undefined) return
    const imports = kernels.map((name, i) => `import { wasm as w${i} } from "./kernels/generated/${name}.mjs";\n`)
    entry.code = imports.join('') + entry.code
  },
}

export default defineConfig([
  {
    ...shared,
    cwd: 'packages/core',
    entry: [
      'src/index.ts',
      'src/collection.ts',
      'src/data.ts',
      'src/inspect.ts',
      'src/internals.ts',
      'src/margin.ts',
      'src/memory.ts',
      'src/kernels/workers/no-node-worker.ts',
      'src/no-platform.ts',
      'src/store/files/no-files.ts',
    ],
    platform: 'neutral',
    // One module a source file: bundlers then ship what a page uses, file by file.
    unbundle: true,
    // package.json says so to bundlers: no file does anything when it is imported.
    treeshake: { moduleSideEffects: false },
    plugins: [withoutBareImports, kernelsFirst],
    copy: [
      // The script of worker threads as a file, for pages that may not start workers from strings.
      { from: ['src/kernels/worker.mjs', 'src/kernels/worker.d.mts'], to: 'dist' },
      { from: ['src/kernels/generated/*.wasm'], to: 'dist/wasm' },
    ],
  },
  {
    ...shared,
    cwd: 'packages/server',
    entry: ['src/index.ts', 'src/http.ts', 'src/mcp.ts', 'src/operations.ts'],
    platform: 'node',
  },
  { ...shared, cwd: 'packages/langchain', entry: ['src/index.ts'], platform: 'node' },
  {
    ...shared,
    cwd: 'packages/vicinal',
    entry: {
      index: 'src/index.ts',
      browser: 'src/browser.ts',
      command: 'src/command/main.ts',
      'service-thread': 'src/service-thread.ts',
      'library/main': 'src/formats/library/main.mjs',
    },
    platform: 'node',
    // The demo's titles travel with the command; their README carries the credits.
    copy: [{ from: ['../../data/titles-*.gz', '../../data/subjects.tsv', '../../data/README.md'], to: 'dist/data' }],
  },
])
