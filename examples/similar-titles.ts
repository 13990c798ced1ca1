import { defaultEngine, readDataset, TextPipeline } from 'vicinal'

const titles = await readDataset('data/titles-train.tsv.gz', { labelNames: 'data/subjects.tsv' })
const { pipeline, features } = TextPipeline.fitTransform(titles.texts ?? [])
const { arena, kernels } = defaultEngine()

// Cosine of one query to every title: one kernel call over the whole sparse matrix.
const query = arena.allocate(Float32Array, features.columns)
const { indices, values } = pipeline.transform('A history of the Baltic Sea')
indices.forEach((column, i) => {
  query.array[column] = values[i] as number
})
const offsets = arena.place(Uint32Array.from(features.offsets))
const [rows, weights] = [arena.place(features.indices), arena.place(features.values)]
const scores = arena.allocate(Float32Array, features.rows)
kernels.sparseDotScan(offsets.pointer, rows.pointer, weights.pointer, features.rows, query.pointer, scores.pointer)

const best = [...scores.array.keys()]
  .sort((a, b) => (scores.array[b] as number) - (scores.array[a] as number))
  .slice(0, 3)
for (const row of best) {
  const subjects = Array.from(titles.labels?.row(row) ?? [], label => titles.labelNames?.[label])
  console.log(scores.array[row]?.toFixed(2), titles.texts?.[row], '→', subjects.join(', '))
}
