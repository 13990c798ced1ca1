// MemoryTree: linear models, keys compared, and lists of the memories that have a feature.

export * from '../memory/keys'
export * from '../memory/linear'
export * from '../memory/postings'
export { selectLargest } from '../select'
