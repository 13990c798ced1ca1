// A value that components watch: when it is set, those that use it render again.

import { useEffect, useState } from 'preact/hooks'

export class Signal<Value> {
  #value: Value
  readonly #watchers = new Set<(value: Value) => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set value(value: Value) {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const watch of [...this.#watchers]) watch(value)
  }

  /** Calls back at every change, until the returned function is called. */
  watch(watcher: (value: Value) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}

/** The value of a signal now. The component renders again when it changes. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  const [value, setValue] = useState(() => signal.value)
  useEffect(() => {
    setValue(() => signal.value) // it may have changed before this ran
    return signal.watch(next => setValue(() => next))
  }, [signal])
  return value
}
