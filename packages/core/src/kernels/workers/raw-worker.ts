// The part of Node's and the browser's Worker that we use.

/** What a worker replies. Only this means that the work is done. */
export interface Reply {
  readonly ready?: boolean
  /** A kernel failed; the thread keeps running. */
  readonly error?: string
}

export interface RawWorker {
  post(message: object): void
  hold(held: boolean): void
  end(): Promise<void>
}

export interface Listener {
  onReply(reply: Reply): void
  onEnd(reason: string): void
}
