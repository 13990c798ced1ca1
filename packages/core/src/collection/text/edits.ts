// Edits between two words, up to a limit: letters inserted, deleted, replaced, or swapped with their neighbor (optimal string alignment).

/** Three rows of the table: the current one, the one before, and the one before that. Reused, since words are short. */
let rows: [Uint16Array, Uint16Array, Uint16Array] = [new Uint16Array(66), new Uint16Array(66), new Uint16Array(66)]

/** How many edits apart two words are; if more than `most`, any larger number. */
export function editsWithin(a: string, b: string, most: number): number {
  if (rows[0].length <= b.length) rows = [0, 1, 2].map(() => new Uint16Array(2 * b.length)) as typeof rows // three
  let [row, last, beforeLast] = rows
  for (let j = 0; j <= b.length; j++) row[j] = j
  let leastLast = 0
  for (let i = 1; i <= a.length; i++) {
    ;[row, last, beforeLast] = [beforeLast, row, last]
    const least = fill(row, last, beforeLast, a, b, i)
    // A swap reaches back two rows, so one hopeless row is not enough.
    if (least > most && leastLast > most) return least
    leastLast = least
  }
  return row[b.length]
}

/** Computes row i from the two before; returns its smallest number. */
function fill(row: Uint16Array, last: Uint16Array, beforeLast: Uint16Array, a: string, b: string, i: number): number {
  const [letter, letterBefore] = [a.charCodeAt(i - 1), i > 1 ? a.charCodeAt(i - 2) : -1]
  row[0] = i
  let least = i
  for (let j = 1; j <= b.length; j++) {
    const other = b.charCodeAt(j - 1)
    let edits = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (other === letter ? 0 : 1))
    if (j > 1 && other === letterBefore && b.charCodeAt(j - 2) === letter)
      edits = Math.min(edits, beforeLast[j - 2] + 1)
    row[j] = edits
    if (edits < least) least = edits
  }
  return least
}
