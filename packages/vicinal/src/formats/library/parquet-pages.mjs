// Checks the pages of a Parquet column before hyparquet decodes them: their sizes and counts, their checksums where they have
// any, and the runs of their levels and dictionary indices. A wrong count there makes hyparquet loop for ever or fill the memory.

import * as zlib from 'node:zlib'
import { brotliDecompressSync, crc32, gunzipSync } from 'node:zlib'
import { snappyUncompress } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'

/** @import { ColumnMetaData, Compressors, PageHeader } from 'hyparquet' */
/** @typedef {{ repetition: number, definition: number }} Levels the highest there are */
/** @typedef {{ header: PageHeader, levels: Levels, type: string }} Page */

const maxPageBytes = 2 ** 30

export class PageChecks {
  /** @type {Page[]} */
  #expected

  /** @param {Page[]} expected the pages that are going to be decompressed, in this order; none if it is not known */
  constructor(expected) {
    this.#expected = [...expected]
  }

  /**
   * Refuses a column whose pages are not what they say. Returns those whose values are compressed: they are checked when they
   * are decompressed.
   * @param {Uint8Array} bytes
   * @param {ColumnMetaData} column
   * @param {Levels} levels
   */
  static walk(bytes, column, levels) {
    const name = column.path_in_schema.join('.')
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
    /** @type {Page[]} */
    const compressed = []
    let values = 0
    let hasDictionary = false
    while (reader.offset < bytes.length && (levels.repetition > 0 || values < Number(column.num_values))) {
      const header = parquetHeader(reader)
      const size = header.compressed_page_size
      if (!(size >= 0 && reader.offset + size <= bytes.length))
        throw new Error(`a page of column ${name} has ${size} bytes`)
      const data = bytes.subarray(reader.offset, reader.offset + size)
      const page = { header, levels, type: column.type }
      checkHeader(page, data, column.codec, hasDictionary)
      if (isPacked(page, column.codec)) compressed.push(page)
      else checkRuns(page, data)
      hasDictionary ||= header.type === 'DICTIONARY_PAGE'
      values += countOf(header)
      reader.offset += size
    }
    if (values !== Number(column.num_values)) {
      throw new Error(`column ${name} has ${values} values, its metadata says ${column.num_values}`)
    }
    return compressed
  }

  /** The decompressors that Node has, each of which checks what it unpacked. */
  decompressors() {
    // Node has zstd from 22.15 on.
    const { zstdDecompressSync } = /** @type {{ zstdDecompressSync?: typeof gunzipSync }} */ (
      /** @type {unknown} */ (zlib)
    )
    /** @type {Record<string, (bytes: Uint8Array, size: number) => Uint8Array>} */
    const all = {
      SNAPPY: unpackSnappy,
      GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: size + 1 }),
      BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: size + 1 }),
      ...(zstdDecompressSync && { ZSTD: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: size + 1 }) }),
    }
    /** @type {Compressors} */
    const checked = {}
    for (const [codec, unpack] of Object.entries(all)) {
      checked[/** @type {keyof Compressors} */ (codec)] = (bytes, size) => {
        const page = this.#expected.shift()
        const unpacked = unpack(bytes, size)
        if (page && page.header.type !== 'DATA_PAGE_V2') checkRuns(page, unpacked)
        else if (page) checkIndices(page, unpacked, 0)
        return unpacked
      }
    }
    return checked
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} size
 */
function unpackSnappy(bytes, size) {
  const page = new Uint8Array(size)
  snappyUncompress(bytes, page)
  return page
}

/**
 * @param {Page} page
 * @param {Uint8Array} data
 * @param {string} codec
 * @param {boolean} hasDictionary
 */
function checkHeader({ header }, data, codec, hasDictionary) {
  const { crc, uncompressed_page_size: unpacked } = header
  if (crc !== undefined && crc >>> 0 !== crc32(data)) throw new Error('the checksum of a page does not match')
  if (!(unpacked >= 0 && unpacked <= maxPageBytes)) throw new Error(`a page unpacks to ${unpacked} bytes`)
  if (codec === 'UNCOMPRESSED' && unpacked !== data.length) throw new Error('the sizes of a page disagree')
  const values = header.dictionary_page_header?.num_values ?? countOf(header)
  if (!(Number.isInteger(values) && values >= 0)) throw new Error(`a page has ${values} values`)
  const encoding = (header.data_page_header ?? header.data_page_header_v2)?.encoding
  if (encoding?.endsWith('_DICTIONARY') && !hasDictionary)
    throw new Error('a page needs a dictionary that is not there')
  const second = header.data_page_header_v2
  if (second) checkSecond(second, data)
}

/**
 * @param {NonNullable<PageHeader['data_page_header_v2']>} header
 * @param {Uint8Array} data
 */
function checkSecond({ num_values, num_nulls, definition_levels_byte_length, repetition_levels_byte_length }, data) {
  const [definition, repetition] = [definition_levels_byte_length, repetition_levels_byte_length]
  if (!(definition >= 0 && repetition >= 0 && definition + repetition <= data.length)) {
    throw new Error(`a page has levels of ${definition} and ${repetition} bytes`)
  }
  if (!(num_nulls >= 0 && num_nulls <= num_values))
    throw new Error(`a page has ${num_nulls} nulls of ${num_values} values`)
}

/** @param {PageHeader} header */
function countOf({ data_page_header, data_page_header_v2 }) {
  return (data_page_header ?? data_page_header_v2)?.num_values ?? 0
}

/**
 * @param {Page} page
 * @param {string} codec
 */
function isPacked({ header }, codec) {
  return codec !== 'UNCOMPRESSED' && header.data_page_header_v2?.is_compressed !== false
}

/**
 * Refuses runs of levels and dictionary indices that are longer than the page. Of a second-version page, `data` is all of it.
 * @param {Page} page
 * @param {Uint8Array} data
 */
function checkRuns(page, data) {
  const { header, levels } = page
  const first = header.data_page_header
  if (header.data_page_header_v2) {
    const { definition_levels_byte_length, repetition_levels_byte_length } = header.data_page_header_v2
    return checkIndices(page, data, definition_levels_byte_length + repetition_levels_byte_length)
  }
  if (!first) return
  let at = 0
  for (const highest of [levels.repetition, levels.definition]) {
    if (highest > 0) at = checkCounted(data, at, bitsOf(highest), first.num_values)
  }
  checkIndices(page, data, at)
}

/**
 * @param {Page} page
 * @param {Uint8Array} data
 * @param {number} at
 */
function checkIndices({ header, type }, data, at) {
  const { encoding, num_values } = header.data_page_header ??
    header.data_page_header_v2 ?? { encoding: '', num_values: 0 }
  if (encoding === 'RLE' && type === 'BOOLEAN') checkCounted(data, at, 1, num_values)
  if (!encoding.endsWith('_DICTIONARY') || at >= data.length) return
  const bits = data[at] ?? 0
  if (bits > 32) throw new Error(`a page has dictionary indices of ${bits} bits`)
  if (bits > 0) checkHybrid(data, at + 1, data.length, bits, num_values)
}

/**
 * Runs after their length in bytes; returns where they end.
 * @param {Uint8Array} data
 * @param {number} at
 * @param {number} bits
 * @param {number} values
 */
function checkCounted(data, at, bits, values) {
  if (at + 4 > data.length) throw new Error('a page ends within its levels')
  const end = at + 4 + new DataView(data.buffer, data.byteOffset).getUint32(at, true)
  if (end > data.length) throw new Error('a page ends within its levels')
  checkHybrid(data, at + 4, end, bits, values)
  return end
}

/**
 * Runs of Parquet's hybrid encoding: an odd header counts groups of eight packed values, an even one repeats a value.
 * @param {Uint8Array} data
 * @param {number} start
 * @param {number} end
 * @param {number} bits
 * @param {number} values
 */
function checkHybrid(data, start, end, bits, values) {
  let [at, seen] = [start, 0]
  while (at < end && seen < values) {
    let [header, shift] = [0, 0]
    do {
      if (at >= end || shift > 28) throw new Error('a run in a page has no length')
      header += (byteAt(data, at) & 127) * 2 ** shift
      shift += 7
    } while (byteAt(data, at++) & 128)
    const packed = header % 2 === 1
    const count = packed ? ((header - 1) / 2) * 8 : header / 2
    // The last packed group is filled up to eight values.
    if (count > values - seen + (packed ? 7 : 0)) throw new Error(`a run in a page has ${count} values`)
    at += packed ? (count / 8) * bits : Math.ceil(bits / 8)
    seen += count
  }
}

/**
 * @param {Uint8Array} data
 * @param {number} at
 */
function byteAt(data, at) {
  return data[at] ?? 0
}

/** @param {number} highest */
function bitsOf(highest) {
  return 32 - Math.clz32(highest)
}
