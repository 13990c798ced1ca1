// Small real files of every format that needs no library: what hostile files are made from.

export interface SampleFile {
  readonly format: string
  readonly bytes: Uint8Array
}

const text = (format: string, content: string): SampleFile => ({ format, bytes: new TextEncoder().encode(content) })

function npy(type: string, shape: string, data: ArrayBufferView, fortran = 'False'): SampleFile {
  const header = `{'descr': '${type}', 'fortran_order': ${fortran}, 'shape': (${shape}), }`.padEnd(117)
  const head = Buffer.from(`\x93NUMPY\x01\0v\0${header}\n`, 'latin1')
  return { format: 'npy', bytes: Uint8Array.from(Buffer.concat([head, bytesOf(data)])) }
}

function vecs(format: string, rows: readonly number[][], Type: { from(row: number[]): ArrayBufferView }): SampleFile {
  const parts = rows.flatMap(row => [bytesOf(Int32Array.of(row.length)), bytesOf(Type.from(row))])
  return { format, bytes: Uint8Array.from(Buffer.concat(parts)) }
}

function idx(type: number, sizes: readonly number[], data: readonly number[]): SampleFile {
  const counts = sizes.flatMap(size => [0, 0, size >> 8, size & 255])
  return { format: 'idx', bytes: Uint8Array.of(0, 0, type, sizes.length, ...counts, ...data) }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export const sampleFiles: readonly SampleFile[] = [
  text('xmc', '5 10 4\n0,2 0:1 3:0.5 9:-2e-3\n1 1:1\n 2:3.25 4:1\n3,0 0:0.1\n2 \n'),
  text('svmlight', 'a,b 1:0.5 7:2 # comment\n# only comment\nc qid:3 2:1e-3\n\n 3:1\nb\n1:2 4:5\n'),
  text('svmlight', '+1 1:1 2:2\n-1 1:3\n+1 3:0.25\n'),
  text(
    'arff',
    "% c\n@relation 'x: -C 2'\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n@attribute f1 numeric\n@attribute 'f 2' real\n" +
      "@attribute col {red,'dark blue',green}\n@data\n1,0,1.5,2,red\n0,1,-3,4e-2,'dark blue'\n0,0,0,0,green\n",
  ),
  text(
    'arff',
    "@relation 'm -C -1'\n@attribute t string\n@attribute a numeric\n@attribute b integer\n@attribute y {0,1}\n@data\n" +
      "{0 'hello \\'w\\' x', 1 2.5, 3 1}\n{0 x, 2 7}\n{0 \"q,r\"}\n",
  ),
  text('csv', 'id,text,labels\n1,"a ""quoted"", one",x;y\n2,plain text,z\n3,"multi\nline",x\n'),
  text('csv', 'a,b,class\n1,2,red\n3.5,-4e2,blue\n0,0,red\n'),
  text('tsv', 'text\tlabels\nfoo bar\ta b\nbaz\tc\n'),
  text('tsv', 'A title\t<http://x/1> <http://x/2>\nOther\t<http://x/3>\n'),
  text('jsonl', '{"id":"a","text":"hello","labels":["x","y"]}\n{"id":"b","text":"w\\u00f6rld","labels":[]}\n'),
  text('jsonl', '{"labels":["a"],"vector":[0.5,1,-2]}\n{"labels":["b",1],"vector":[0,0,1e-3]}\n'),
  text(
    'jsonl',
    '{"labels":["a"],"vector":{"indices":[3,1],"values":[1,2]}}\n{"labels":[],"vector":{"indices":[],"values":[]}}\n',
  ),
  text('lines', 'one\ntwo\nthree é\n'),
  npy('<f4', '3, 2', Float32Array.of(1, 2, 3, 4, 5, 6)),
  npy('<f8', '2, 3', Float64Array.of(1, 2, 3, 4, 5, 6), 'True'),
  npy('<i8', '2, 2', BigInt64Array.of(1n, -2n, 3n, 2147483647n)),
  vecs('fvecs', [[1, 2, 3], [4, 5, 6], [7, 8, 9.5]], Float32Array), // biome-ignore format: a table
  vecs('bvecs', [[1, 2, 3, 4], [5, 6, 7, 8]], Uint8Array), // biome-ignore format: a table
  vecs('ivecs', [[1, 2], [-3, 2147483647]], Int32Array), // biome-ignore format: a table
  idx(8, [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]),
  idx(8, [4], [1, 0, 2, 1]),
  idx(0x0d, [2, 1], [0x3f, 0x80, 0, 0, 0x40, 0, 0, 0]),
]
