import { MemoryTree } from 'vicinal'

const memory = MemoryTree.create()
memory.insert('the deploy failed because the disk was full', { fix: 'clear the cache' })
memory.insert('the deploy failed because a test was red', { fix: 'run the tests first' })
memory.insert('login fails after the certificate changed', { fix: 'restart the proxy' }, { id: 'login' })

const [hit] = memory.query('why did the deploy fail? the disk is nearly full')
console.log(`${JSON.stringify(hit?.value)}, expected reward ${hit?.score.toFixed(2)}`)

if (hit) for (let i = 0; i < 20; i++) memory.update(hit, 1) // it helped, again and again
const [again] = memory.query('why did the deploy fail? the disk is nearly full')
console.log(`the same, expected reward ${again?.score.toFixed(2)}`)
memory.remove('login') // forgotten, at once
