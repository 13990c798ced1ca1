// Answers of predict and search, in the two shapes of result files: a line of JSON, and rows of a table.

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
  /** For tables: one row per label, neighbor or document, with one cell per column. */
  readonly rows: readonly (readonly Cell[])[]
}

/** Where answers go. */
export interface AnswerSink {
  write(answers: readonly Answer[]): Promise<void>
  /** Writes buffered answers. */
  end(): Promise<void>
}

/** Puts text or bytes into the file. */
export type Append = (chunk: string | Uint8Array) => Promise<void>
