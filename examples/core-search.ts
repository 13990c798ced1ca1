import { DenseMatrix, ExactIndex } from '@vicinal/core'
import { MemoryTree } from '@vicinal/core/memory'

const colors = { red: [255, 0, 0], orange: [255, 165, 0], gold: [255, 215, 0], navy: [0, 0, 128], teal: [0, 128, 128] }
const index = await ExactIndex.fit(DenseMatrix.from(Object.values(colors)), { ids: Object.keys(colors) })
for (const { id, distance } of index.search([250, 180, 20], { k: 2 })) {
  console.log(`${id}, distance ${distance.toFixed(1)}`)
}
index.free() // optional: the garbage collector frees it too, only later

const memory = MemoryTree.create()
memory.insert('the disk is full', { fix: 'clear the cache' })
memory.insert('a test is red', { fix: 'run the tests first' })
console.log(memory.query('is the disk full again?')[0]?.value)
