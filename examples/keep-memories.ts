import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStore } from '@vicinal/server'

const path = join(await mkdtemp(join(tmpdir(), 'vicinal-')), 'notes')
const store = await MemoryStore.create(path)

// Concurrent calls share one disk flush. Each promise resolves once its change is on disk.
await Promise.all([
  store.insert('the door of the red house', 'locked'),
  store.insert('the window of the red house', 'open'),
  store.insert('mushrooms in the forest', 'tasty', { id: 'm1' }),
])
const [hit] = store.query('how do I get through the red door?')
console.log(`${hit?.value}, expected reward ${hit?.score.toFixed(2)}`)
if (hit) await store.update(hit, 1) // it helped
await store.remove('m1')
await store.close()

// Later, even after a crash: the same memory, bit for bit.
const again = await MemoryStore.open(path)
console.log(`${again.size} memories, problems found: ${(await again.check()).length}`)
await again.close()
