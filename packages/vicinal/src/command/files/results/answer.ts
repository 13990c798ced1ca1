// What predict and search answer, in the two shapes that result files have: a line of JSON, and rows of a table.

export type Cell = string | number | undefined

/** A column of a table of results. */
export interface Column {
  readonly name: string
  readonly type: 'text' | 'number'
}

/** The answer to one question. */
export interface Answer {
  /** For JSON lines. */
  readonly line: object
  /** For tables: one row a label, neighbor or document, with a cell a column. */
  readonly rows: readonly (readonly Cell[])[]
}

/** Where answers go. */
export interface AnswerSink {
  write(answers: readonly Answer[]): Promise<void>
  /** Writes what was kept back. */
  end(): Promise<void>
}

/** Puts text or bytes into the file. */
export type Append = (chunk: string | Uint8Array) => Promise<void>
