// The text of a record. JavaScript limits the characters of a text, and Node the bytes that it decodes at once: a text that was written
// may have three times as many bytes as characters, and must still be readable.

import { StringDecoder } from 'node:string_decoder'

export function recordText(record: Buffer, pieceBytes: number = 2 ** 28): string {
  if (record.length <= pieceBytes) return record.toString()
  const decoder = new StringDecoder('utf8')
  let text = ''
  for (let from = 0; from < record.length; from += pieceBytes) {
    text += decoder.write(record.subarray(from, from + pieceBytes))
  }
  return text + decoder.end()
}
