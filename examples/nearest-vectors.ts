import { ForestIndex, Random } from 'vicinal'

// 10,000 points around 50 centers; yours come from a file, or from the model that embeds your texts.
const random = new Random(7)
const centers = Array.from({ length: 50 }, () => Array.from({ length: 64 }, () => 4 * random.normal()))
const around = (center: number[] = []) => center.map(value => value + random.normal())
const rows = Array.from({ length: 10_000 }, (_, i) => around(centers[i % 50]))

const index = await ForestIndex.fit(rows, { targetRecall: 0.95 })
const [nearest] = index.search(around(centers[3]), { k: 10, filter: id => Number(id) > 4_999 })
console.log(`nearest: ${nearest?.id}, at ${nearest?.distance.toFixed(2)}`)
const { effort, tuning } = index
console.log(`of the ten nearest it finds ${tuning?.chosen.recall.toFixed(2)}, looking at ${effort.trees} trees`)

index.remove(nearest?.id ?? 0) // gone from every answer, at once
index.add(around(centers[3]), 'a new one') // there at once
