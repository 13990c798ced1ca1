// Draws one of a list.

import type { Random } from 'vicinal'

/** The list must hold something. */
export function pick<T>(list: ArrayLike<T>, random: Random): T {
  return list[random.below(list.length)] as T // below its length
}
