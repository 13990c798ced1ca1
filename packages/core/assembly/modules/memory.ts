// MemoryTree: linear models, and keys compared.

export * from '../memory/keys'
export * from '../memory/linear'
