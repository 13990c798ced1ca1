// A value once it has stopped changing, so that nobody asks the engine at every key.

import { useEffect, useState } from 'preact/hooks'

export function useSettled<Value>(value: Value, millis = 180): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return settled
}
