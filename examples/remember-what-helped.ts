import { MemoryTree } from 'vicinal'

const memory = MemoryTree.create()
memory.insert('the deploy failed because the disk was full', { fix: 'clear the cache' })
memory.insert('the deploy failed because a test was red', { fix: 'run the tests first' })
memory.insert('login fails after the certificate changed', { fix: 'restart the proxy' }, { id: 'login' })

const question = 'why did the deploy fail? the disk is nearly full'
const [hit] = memory.query(question)
console.log(`${JSON.stringify(hit?.value)}, expected reward ${hit?.score.toFixed(2)}`)

if (hit) for (let i = 0; i < 20; i++) memory.update(hit, 1) // it helped, twenty times over
const [again] = memory.query(question)
console.log(`${JSON.stringify(again?.value)}, expected reward ${again?.score.toFixed(2)}`)

memory.remove('login') // takes effect immediately
