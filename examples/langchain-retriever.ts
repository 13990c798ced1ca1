import { MemoryRetriever } from '@vicinal/langchain'
import { MemoryTree } from 'vicinal'

const memory = MemoryTree.create()
memory.insert('the deploy failed because the disk was full', 'clear the cache')
memory.insert('the deploy failed because a test was red', 'run the tests first')

const retriever = new MemoryRetriever({ memory, k: 1 })
const [document] = await retriever.invoke('why did the deploy fail? the disk is nearly full')
console.log(`${document?.pageContent}: ${document?.metadata.value}`)
if (document) await retriever.reward(document, 1) // it helped: the memory learns
