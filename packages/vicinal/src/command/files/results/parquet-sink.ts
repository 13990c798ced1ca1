// Answers as Parquet, in groups of rows, so that memory stays the same however many there are. The library is loaded on first use.

import type { AnswerSink, Append, Cell, Column } from './answer.ts'

/** Rows of one group. */
const groupRows = 100_000

export async function parquetSink(columns: readonly Column[], append: Append): Promise<AnswerSink> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) })
  let rows: (readonly Cell[])[] = []
  const flush = async () => {
    await append(new Uint8Array(bytes.buffer.slice(0, bytes.index)))
    bytes.index = 0 // its offset still counts what was written
  }
  const writeGroup = async () => {
    if (rows.length > 0) await writer.write({ columnData: columnsOf(columns, rows), rowGroupSize: groupRows })
    rows = []
    await flush()
  }
  return {
    async write(answers) {
      for (const answer of answers) rows.push(...answer.rows)
      if (rows.length >= groupRows) await writeGroup()
    },
    async end() {
      await writeGroup()
      await writer.finish()
      await flush()
    },
  }
}

type Schema = ConstructorParameters<typeof import('hyparquet-writer').ParquetWriter>[0]['schema']

function schemaOf(columns: readonly Column[]): Schema {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) =>
      type === 'text'
        ? ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const)
        : ({ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' } as const),
    ),
  ]
}

function columnsOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]) {
  return columns.map(({ name, type }, i) => ({ name, data: rows.map(row => cellValue(row[i], type)) }))
}

/** Ids may be numbers in some rows and texts in others: a column of texts has texts only. */
function cellValue(cell: Cell, type: Column['type']): string | number | undefined {
  return cell !== undefined && type === 'text' ? String(cell) : cell
}
