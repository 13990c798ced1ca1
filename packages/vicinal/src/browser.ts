// What `import … from 'vicinal'` gives in a page: all that runs there. Bundlers choose this file by the condition `browser`, so that a page ships
// no code of stores on disk, nor of formats and stemmers that need Node.

export * from './engine.ts'
