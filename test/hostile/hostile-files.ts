// Three families of hostile files. 'damaged': real ones with a few bytes changed, cut or put in. 'worst': a megabyte of the characters
// that a format's reader has to look out for, which patterns and scanners that look twice take hours for. 'greedy': a few bytes that ask
// for more memory than there is.

import { gzipSync } from 'node:zlib'
import { Random } from 'vicinal'
import { pick } from './pick.ts'
import { type SampleFile, sampleFiles } from './sample-files.ts'

export interface HostileFile extends SampleFile {
  /** What was done to it. */
  readonly what: string
  /** Whether it must be refused. */
  readonly refused?: boolean
}

const encode = (text: string) => new TextEncoder().encode(text)

const pieces = [
  ...[
    'NaN',
    'inf',
    '-Infinity',
    '1e400',
    '1e39',
    '-0',
    '-1',
    '4294967295',
    '4294967296',
    '9007199254740993',
    '0x10',
    '1,5',
  ],
  ...[
    '.',
    '-',
    '1e',
    '\ufeff',
    '\r\n',
    '\r',
    '\n',
    '\0',
    '"',
    "'",
    '""',
    ',',
    ';',
    '|',
    '\t',
    ' ',
    ':',
    '#',
    '%',
    '@data\n',
  ],
  ...[
    '@attribute x numeric\n',
    '{',
    '}',
    '[',
    ']',
    '__proto__',
    '"__proto__":{"polluted":1},',
    'toString',
    '<',
    '>',
    '\u2028',
  ],
  ...[
    '\\',
    '\\u0000',
    'é',
    '𝒳',
    'qid:1 ',
    '0:0 ',
    '1:1 1:1 ',
    '5:1 2:1 ',
    '4294967295:1 ',
    'null',
    'true',
    '?',
    '-C 99',
  ],
].map(encode)
const notUtf8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]].map(list =>
  Uint8Array.from(list),
)
const words = [0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x10000, 0x100000, 0x40000000]

/** A real file with one to four changes. */
export function damagedFile(i: number): HostileFile {
  const random = new Random(i)
  const { format, bytes } = sampleFiles[i % sampleFiles.length] as SampleFile // below their number
  let changed = bytes
  for (let times = random.below(2) === 0 ? 1 : 1 + random.below(4); times > 0; times--)
    changed = damage(changed, random)
  const zipped = random.below(8) === 0
  return { format, bytes: zipped ? gzipSync(changed) : changed, what: zipped ? 'damaged and zipped' : 'damaged' }
}

function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1)
  const kind = random.below(8)
  if (kind === 0) return changed(bytes, at, byte => byte ^ (1 << random.below(8)))
  if (kind === 1) return changed(bytes, at, () => pick([0, 255, 127, 128, 10, 13, 32, 34, 44, 58], random))
  if (kind === 2) return bytes.slice(0, at)
  if (kind === 3) return joined(bytes.subarray(0, at), bytes.subarray(at + random.below(20)))
  if (kind === 4) return joined(bytes.subarray(0, at), bytes.subarray(random.below(at + 1)))
  if (kind === 5) return joined(bytes.subarray(0, at), pick(notUtf8, random), bytes.subarray(at))
  if (kind === 6) {
    const word = Uint32Array.of(pick(words, random))
    const order = new Uint8Array(word.buffer)
    return joined(bytes.subarray(0, at), random.below(2) ? order : order.reverse(), bytes.subarray(at + 4))
  }
  return joined(bytes.subarray(0, at), pick(pieces, random), bytes.subarray(at))
}

function changed(bytes: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  return bytes.map((byte, place) => (place === at ? change(byte) : byte))
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

/** What each reader of text looks out for. */
const structural = [
  ...' \t\n\r,;:|"\'\\#%@{}[]<>&=?-+.0e/aé',
  '\ufeff',
  '\0',
  '""',
  "''",
  '\\"',
  '\\u',
  '<!--',
  '&#',
  '1e',
  '[{',
  '{"a":',
]
const textFormats = ['xmc', 'svmlight', 'arff', 'csv', 'tsv', 'jsonl', 'lines', 'npy', 'label XML', 'label names']
const worstBytes = 2 ** 20

/** How many there are of one character behind a good beginning. */
export const worstFew = textFormats.length * structural.length
const worstPairs = 2 * worstFew * structural.length
/** Leads through the alternations in an order that has some of every kind among the first. */
const stride = 7919

/** A megabyte of the worst: of one character behind a good beginning, then of nothing else, then of two in turn. */
export function worstFile(which: number): HostileFile {
  const i = which < 2 * worstFew ? which : 2 * worstFew + ((which * stride) % worstPairs)
  const format = textFormats[i % textFormats.length]
  const first = structural[Math.floor(i / textFormats.length) % structural.length]
  const turn = Math.floor(i / worstFew)
  const isBehind = turn % 2 === 0
  const unit = `${first}${turn < 2 ? '' : structural[Math.floor(turn / 2) - 1]}`
  const body = unit.repeat(Math.ceil(worstBytes / Buffer.byteLength(unit)))
  const start = isBehind ? beginnings[format as string] : ''
  return {
    ...{ format: format as string, what: `${isBehind ? 'behind' : 'all'} ${JSON.stringify(unit)}` }, // below their number
    bytes: encode(start + body),
  }
}

/** How a good file begins, up to where a cell, a value or a name follows. */
const beginnings: Readonly<Record<string, string>> = {
  xmc: '2 10 4\n0 0:1\n1 2:',
  svmlight: 'a 1:1\nb 2:',
  arff: "@relation 'x -C 1'\n@attribute y {0,1}\n@attribute t string\n@data\n0,a\n1,",
  csv: 'a,text,labels\n1,b,x\n2,',
  tsv: 'text\tlabels\na\tb\nc\t',
  jsonl: '{"text":"a","labels":["b"]}\n{"text":',
  lines: 'one\n',
  npy: "\x93NUMPY\x01\0\xff\xff{'descr': '<f4', 'shape': (",
  'label XML': '<labels><label name="a"/><label name=',
  'label names': 'a\tb\n',
}

const utf8 = (format: string, what: string, content: string): HostileFile => ({
  ...{ format, what, bytes: encode(content), refused: true },
})

function npyOf(shape: string): Uint8Array {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117)
  return Uint8Array.from(Buffer.from(`\x93NUMPY\x01\0v\0${header}\n`, 'latin1'))
}

/** Files that unpack to more than there is: the slow ones of the greedy. */
function packedFiles(): HostileFile[] {
  const formats = ['lines', 'csv', 'svmlight', 'jsonl', 'xmc', 'tsv', 'arff']
  return [
    ...formats.map(format => packed(format, '128 million line breaks', '\n', 2 ** 27)),
    packed('lines', 'half a gigabyte in half a megabyte', 'a', 2 ** 29 - 100),
  ]
}

/** Packed when it is asked for: that takes a while. */
function packed(format: string, what: string, unit: string, times: number): HostileFile {
  return {
    ...{ format, what, refused: true },
    get bytes() {
      return gzipSync(unit.repeat(times))
    },
  }
}

/** Files that ask for too much; those that have to be unpacked come last, and are this many. */
export const packedCount = 8

export function greedyFiles(): HostileFile[] {
  return [...askingFiles(), ...packedFiles()]
}

function askingFiles(): HostileFile[] {
  return [
    utf8('jsonl', 'nested deep', `{"text":"a","labels":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
    utf8('jsonl', 'a vector nested deep', `{"labels":["a"],"vector":${'[{"a":'.repeat(200_000)}`),
    utf8('svmlight', 'a feature of 2³² − 1', 'a 4294967295:1\n'),
    utf8('svmlight', 'a feature of 10¹⁵', 'a 1000000000000000:1\n'),
    utf8('jsonl', 'a feature of 2³² − 1', '{"labels":["a"],"vector":{"indices":[4294967295],"values":[1]}}\n'),
    utf8('xmc', '2³² labels', '1 3 4294967296\n0 0:1\n'),
    utf8('xmc', '2³² features', '1 4294967296 3\n0 0:1\n'),
    utf8('xmc', '2⁵³ rows', '9007199254740991 3 3\n0 0:1\n'),
    utf8('arff', 'a label attribute count of 2³²', "@relation 'x -C 4294967296'\n@attribute a numeric\n@data\n1\n"),
    utf8('csv', 'ten million cells', `${','.repeat(10_000_000)}\n`),
    ...['9007199254740991, 0', '0, 9007199254740991', '4294967296, 4294967296', '1000000000000, 1'].map(shape => {
      return { format: 'npy', what: `shape (${shape})`, bytes: npyOf(shape), refused: true }
    }),
    {
      format: 'idx',
      what: '16.7 million labels',
      bytes: Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 1, 0, 255, 255, 255),
      refused: true,
    },
    {
      format: 'idx',
      what: '255 dimensions',
      bytes: Uint8Array.of(0, 0, 8, 255, ...Array(1020).fill(255)),
      refused: true,
    },
    {
      format: 'idx',
      what: 'no rows of 16.7 million',
      bytes: Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 0, 0, 255, 255, 255),
      refused: true,
    },
    { format: 'fvecs', what: 'a row of 2³¹ − 1', bytes: Uint8Array.of(255, 255, 255, 127, 0, 0, 0, 0), refused: true },
    { format: 'bvecs', what: 'a row of −1', bytes: Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0), refused: true },
  ]
}
