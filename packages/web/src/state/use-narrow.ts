// Whether the screen is a phone's. The same width as in layout.css.

import { useEffect, useState } from 'preact/hooks'

const phone = matchMedia('(max-width: 52rem)')

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(phone.matches)
  useEffect(() => {
    const change = () => setNarrow(phone.matches)
    phone.addEventListener('change', change)
    return () => phone.removeEventListener('change', change)
  }, [])
  return isNarrow
}
