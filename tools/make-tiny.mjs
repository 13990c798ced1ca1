// Makes data/tiny: one small real file of each format, for the tests. node tools/make-tiny.mjs --source <folder of the sets>
// The folder holds the published files: mulan/, letter/, fashion-mnist/, text/ and xmc/medical.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import h5wasm from 'h5wasm/node'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { DenseMatrix, readDataset, writeDataset } from 'vicinal'

const { source } = parseArgs({ options: { source: { type: 'string' } } }).values
if (!source) throw new Error('give the folder of the sets with --source')
const from = (...parts) => join(source, ...parts)
const to = name => join(import.meta.dirname, '..', 'data', 'tiny', name)
rmSync(to(''), { recursive: true, force: true })
mkdirSync(to(''), { recursive: true })

const lines = (path, count) => {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split('\n').slice(0, count)
}

/** An ARFF file's header and first rows. */
function cutArff(path, rows) {
  const all = lines(path)
  const start = all.findIndex(line => /^@data/i.test(line)) + 1
  return `${all.slice(0, start + rows).join('\n')}\n`
}

// Medical (Mulan): xmc, svmlight and sparse ARFF of the same rows.
const [, ...medical] = lines(from('xmc', 'medical', 'train.txt.gz'), 21)
writeFileSync(to('medical.txt'), `20 1449 45\n${medical.join('\n')}\n`)
await writeDataset(await readDataset(to('medical.txt')), to('medical.svm'))
writeFileSync(to('medical.txt.gz'), gzipSync(readFileSync(to('medical.txt'))))
writeFileSync(to('medical.arff'), cutArff(from('mulan', 'medical-train.arff'), 20))
writeFileSync(to('medical.xml'), readFileSync(from('mulan', 'medical.xml')))
// Emotions (Mulan) and Music (Meka): dense ARFF.
writeFileSync(to('emotions.arff'), cutArff(from('mulan', 'emotions-train.arff'), 10))
writeFileSync(to('emotions.xml'), readFileSync(from('mulan', 'emotions.xml')))
writeFileSync(to('music-meka.arff'), cutArff(from('mulan', 'meka-Music.arff'), 10))
// Letter (UCI): a numeric table.
writeFileSync(to('letter.csv'), `${lines(from('letter', 'letter-recognition.data'), 21).join('\n')}\n`)
// Library titles: Annif's short-text TSV, with and without brackets, CSV, JSONL and Parquet.
const titles = await readDataset(join(import.meta.dirname, '..', 'data', 'titles-test.tsv.gz'))
const first = Array.from({ length: 10 }, (_, i) => ({
  text: titles.texts[i],
  subjects: [...titles.labels.row(i)].map(label => titles.labelNames[label]),
}))
const code = uri => uri.replace(/^.*\//, '')
writeFileSync(
  to('titles.tsv'),
  first.map(row => `${row.text}\t${row.subjects.map(uri => `<${uri}>`).join(' ')}\n`).join(''),
)
const quoted = text => `"${text.replaceAll('"', '""')}"`
writeFileSync(
  to('titles.csv'),
  `text,subject_uris\n${first.map(row => `${quoted(row.text)},${row.subjects.join(' ')}\n`).join('')}`,
)
writeFileSync(
  to('titles.jsonl'),
  first.map(row => `${JSON.stringify({ text: row.text, subjects: row.subjects.map(uri => ({ uri })) })}\n`).join(''),
)
const columnData = [
  { name: 'text', data: first.map(row => row.text), type: 'STRING' },
  { name: 'labels', data: first.map(row => row.subjects.map(code).join(' ')), type: 'STRING' },
]
writeFileSync(to('titles.parquet'), Buffer.from(parquetWriteBuffer({ columnData })))
// Fashion-MNIST: IDX images with their labels, and the same images as npy, fvecs, bvecs, ivecs and HDF5.
const count = 8
const images = gunzipSync(readFileSync(from('fashion-mnist', 't10k-images-idx3-ubyte.gz'))).subarray(
  0,
  16 + count * 784,
)
const labels = gunzipSync(readFileSync(from('fashion-mnist', 't10k-labels-idx1-ubyte.gz'))).subarray(0, 8 + count)
for (const bytes of [images, labels]) bytes.writeUInt32BE(count, 4)
writeFileSync(to('fashion-images-idx3-ubyte.gz'), gzipSync(images))
writeFileSync(to('fashion-labels-idx1-ubyte.gz'), gzipSync(labels))
const pixels = new DenseMatrix(count, 784, Uint8Array.from(images.subarray(16)))
const dataset = { name: 'fashion', rows: count, features: pixels }
await writeDataset(dataset, to('fashion.npy'))
await writeDataset(
  { ...dataset, features: new DenseMatrix(count, 784, Float32Array.from(pixels.values)) },
  to('fashion.fvecs'),
)
const vecs = rows =>
  Buffer.concat(
    rows.flatMap(row =>
      [Uint32Array.of(row.length), row].map(part => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
    ),
  )
writeFileSync(to('fashion.bvecs'), vecs(Array.from({ length: count }, (_, i) => pixels.row(i).slice())))
writeFileSync(
  to('fashion.ivecs'),
  vecs(Array.from({ length: count }, (_, i) => Int32Array.of(i, (i + 1) % count, (i + 3) % count))),
)
await h5wasm.ready
const file = new h5wasm.File(to('fashion.hdf5'), 'w')
file.create_dataset({ name: 'train', data: Float32Array.from(pixels.values.subarray(0, 6 * 784)), shape: [6, 784] })
file.create_dataset({ name: 'test', data: Float32Array.from(pixels.values.subarray(6 * 784)), shape: [2, 784] })
file.create_dataset({ name: 'neighbors', data: Int32Array.of(0, 1, 2, 3), shape: [2, 2] })
file.close()
