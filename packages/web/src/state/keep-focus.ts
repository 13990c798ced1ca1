// Keeps the focus near where it was when the element that has it is redrawn or removed. Browsers drop it then, and keys and screen readers
// start at the top of the page again.

interface Row {
  readonly list: Element
  readonly place: number
  /** Which of its controls; -1 for the row itself. */
  readonly control: number
}

interface Spot {
  readonly element: HTMLElement
  /** The rows it is in, innermost first. */
  readonly rows: readonly Row[]
  readonly card: HTMLElement | null
}

const controls =
  'button:not(:disabled), a[href], input:not(:disabled, [hidden]), select:not(:disabled), textarea, summary'

/** `page` is the element that holds everything. */
export function keepFocus(page: HTMLElement): void {
  let spot: Spot | undefined
  let spotInRoom: Spot | undefined
  const note = (element: Element | null) => {
    if (!(element instanceof HTMLElement) || !page.contains(element)) return
    spot = spotOf(element)
    if (element.closest('main')) spotInRoom = spot
  }
  page.addEventListener('focusin', ({ target }) => note(target as Element))
  page.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget) return
    // Later, because an element that is being removed is still there now. Somebody who clicks beside everything wants no focus back.
    setTimeout(() => {
      if (!hasFocus() && spot?.element.isConnected) spot = undefined
    })
  })
  const look = (changes: readonly MutationRecord[]) => {
    if (hasFocus()) note(document.activeElement)
    else if (
      spot &&
      changes.some(({ removedNodes }) => [...removedNodes].some(one => one.contains(spot?.element ?? null)))
    )
      focus(spot.element.closest('main') || spot.card ? placeFor(spot) : placeFor(spotInRoom ?? spot))
  }
  new MutationObserver(look).observe(page, { childList: true, subtree: true })
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body
}

function spotOf(element: HTMLElement): Spot {
  const rows: Row[] = []
  for (let row = element.closest('li'); row; row = row.parentElement?.closest('li') ?? null) {
    const list = row.parentElement
    if (list) rows.push({ list, place: [...list.children].indexOf(row), control: controlsOf(row).indexOf(element) })
  }
  return { element, rows, card: element.closest<HTMLElement>('.card') }
}

/** The element itself, else the same control drawn anew, else its neighbor in the list, else its panel. */
function placeFor({ element, rows, card }: Spot): HTMLElement | null {
  if (element.isConnected) return element
  const main = document.querySelector('main')
  const label = element.ariaLabel
  const same =
    label && [...(main?.querySelectorAll<HTMLElement>(element.tagName) ?? [])].find(one => one.ariaLabel === label)
  if (same) return same
  for (const row of rows) {
    const near = row.list.isConnected && neighborOf(row)
    if (near) return near
  }
  return card?.isConnected ? card : main
}

function neighborOf({ list, place, control }: Row): HTMLElement | undefined {
  const rows = [...list.children].filter(row => controlsOf(row).length > 0)
  const row = rows[Math.min(place, rows.length - 1)]
  if (!(row instanceof HTMLElement)) return undefined
  const inside = controlsOf(row)
  return control < 0 ? row : inside[Math.min(control, inside.length - 1)]
}

function controlsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(controls)]
}

/** A panel can have the focus as long as it has it. */
function focus(element: HTMLElement | null): void {
  if (element && element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element?.focus({ preventScroll: element.matches('.card, main') })
}
