// Everything outside the process that a command may use. It is passed in, and commands use nothing else, so that a test can run
// them in process, with its own streams.

/** The part of a writable stream that commands use. */
export interface TextSink {
  write(text: string): unknown
  /** Whether it is a terminal. */
  readonly isTTY?: boolean
  /** Width of the terminal; 0 if unknown. */
  readonly columns?: number
}

/** The part of a readable stream that commands use. */
export interface TextSource extends AsyncIterable<Uint8Array> {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean
}

export interface CommandIo {
  /** Data and help, nothing else. */
  readonly stdout: TextSink
  /** Progress, notes and errors. */
  readonly stderr: TextSink
  readonly stdin: TextSource
  readonly env: Readonly<Record<string, string | undefined>>
  /** Fires at Ctrl-C. */
  readonly signal: AbortSignal
  /** Gives the command this many milliseconds to finish after Ctrl-C, instead of less than a second: a server has requests to answer. */
  shutdown?(millis: number): void
}

/** Prints one machine-readable object, on one line. */
export function printJson({ stdout }: CommandIo, value: object): void {
  stdout.write(`${JSON.stringify(value)}\n`)
}
