import { ExactIndex } from 'vicinal'

const index = await ExactIndex.fit([
  { id: 'apple', vector: [1, 0.2, 0] },
  { id: 'pear', vector: [0.9, 0.4, 0.1] },
  { id: 'truck', vector: [0, 0.1, 1] },
])
for (const { id, distance } of index.search([1, 0.3, 0], { k: 2 })) {
  console.log(`${id}, distance ${distance.toFixed(2)}`)
}
