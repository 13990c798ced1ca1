// What pages get from `import … from 'vicinal'`: everything that runs in a browser. Bundlers choose this file by the condition `browser`, so that a page ships
// no code for stores on disk, and none for formats and stemmers that need Node.

export * from './engine.ts'
