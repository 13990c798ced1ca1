import { expect, it } from 'vitest'
import { readDataset } from '../read-dataset.ts'

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

it('takes every line for a text, empty ones too, whatever its end', async () => {
  const { rows, texts, labels } = await readDataset(chunks('Müller\nO’Bri', 'en\r\n\nlast'), { format: 'lines' })
  expect([rows, texts, labels]).toEqual([4, ['Müller', 'O’Brien', '', 'last'], undefined])
})
