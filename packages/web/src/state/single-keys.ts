// Whether keys of one letter do something. People who speak to their computer, or hit keys by chance, turn them off; the browser remembers it.

import { Signal } from './signal.ts'

const name = 'vicinal single keys'

export const singleKeys = new Signal(remembered())

export function turnSingleKeys(isOn: boolean): void {
  singleKeys.value = isOn
  try {
    localStorage.setItem(name, isOn ? 'on' : 'off')
  } catch {} // storage is refused: it holds until the page is closed
}

function remembered(): boolean {
  try {
    return localStorage.getItem(name) !== 'off'
  } catch {
    return true
  }
}
