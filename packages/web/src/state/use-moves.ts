// Rows of a list glide to their new places, so that the eye can follow what moved. Without motion if the reader prefers none.

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Children of the list are told apart by `data-key`. */
export function useMoves(list: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const now = new Map<string, number>()
    for (const row of list.current?.children ?? []) {
      if (!(row instanceof HTMLElement) || !row.dataset.key) continue
      const place = row.offsetTop
      const last = places.current.get(row.dataset.key)
      now.set(row.dataset.key, place)
      if (isStill || last === place) continue
      if (last === undefined) row.animate({ opacity: [0, 1] }, { duration: 240 })
      else {
        const easing = 'cubic-bezier(0.2, 0.7, 0.2, 1)'
        row.animate({ transform: [`translateY(${last - place}px)`, 'none'] }, { duration: 320, easing })
      }
    }
    places.current = now
  })
}
