// Vicinal for LangChain.js.

export { MemoryRetriever, type MemoryRetrieverFields, type MemorySource } from './memory-retriever.ts'
export { VicinalVectorStore, type VicinalVectorStoreOptions } from './vector-store.ts'
