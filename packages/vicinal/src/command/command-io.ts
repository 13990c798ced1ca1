// What a command may touch of the outside world. Commands get it passed in and use nothing else, so that a test runs
// them in process, with streams of its own.

/** The part of a writable stream that commands use. */
export interface TextSink {
  write(text: string): unknown
  /** Whether it is a terminal. */
  readonly isTTY?: boolean
  /** Width of the terminal; 0 if it does not know. */
  readonly columns?: number
}

/** The part of a readable stream that commands use. */
export interface TextSource extends AsyncIterable<Uint8Array> {
  /** Whether somebody types it. */
  readonly isTTY?: boolean
}

export interface CommandIo {
  /** Data and help, nothing else. */
  readonly stdout: TextSink
  /** Talk: progress, notes, errors. */
  readonly stderr: TextSink
  readonly stdin: TextSource
  readonly env: Readonly<Record<string, string | undefined>>
  /** Fires at Ctrl-C. */
  readonly signal: AbortSignal
  /** Gives the command so many milliseconds to end after Ctrl-C, instead of less than a second: it has promised answers to others. */
  shutdown?(millis: number): void
}

/** Prints one machine-readable object, on one line. */
export function printJson({ stdout }: CommandIo, value: object): void {
  stdout.write(`${JSON.stringify(value)}\n`)
}
