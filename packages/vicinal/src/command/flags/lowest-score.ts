// The flag of a lowest score.

import { InvalidArgumentError } from 'commander'

export function lowestScore(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InvalidArgumentError('Expected a number.')
}
