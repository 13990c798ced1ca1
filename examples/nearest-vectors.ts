import { ForestIndex, Random } from 'vicinal'

// 10,000 points around 50 centers. Yours come from a file, or from the model that embeds your texts.
const random = new Random(7)
const centers = Array.from({ length: 50 }, () => Array.from({ length: 64 }, () => 4 * random.normal()))
const around = (center: number[] = []) => center.map(value => value + random.normal())
const rows = Array.from({ length: 10_000 }, (_, i) => around(centers[i % 50]))

const index = await ForestIndex.fit(rows, { targetRecall: 0.95 })
const [nearest] = index.search(around(centers[3]), { k: 10, filter: id => Number(id) > 4_999 })
console.log(`nearest: ${nearest?.id}, distance ${nearest?.distance.toFixed(2)}`)
const { effort, tuning } = index
console.log(`recall ${tuning?.chosen.recall.toFixed(2)} on held-out rows, comparing ${effort.rerank} rows`)

index.remove(nearest?.id ?? 0) // no search returns it from now on
index.add({ id: 'a new one', vector: around(centers[3]) }) // the next search can find it
console.log(`${index.rows} items`)
