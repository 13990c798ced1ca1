import { expect, it } from 'vitest'
import { recordText } from './record-text.ts'

it('reads a record in pieces, wherever they part its characters', () => {
  const text = '{"value":"€ 😀 é"}'
  for (let piece = 1; piece < 30; piece++) expect(recordText(Buffer.from(text), piece)).toBe(text)
})
