// Splits the cells of a label column into labels. The separator is chosen once for the whole column, as a cell alone
// is not enough: if one cell is `machine learning;art`, white space separates nothing in the others.
//   1. A cell of the form `<uri> <uri>` holds these uris, whatever the separator.
//   2. The caller's separator, if there is one; ' ' means any white space.
//   3. Otherwise `;` if any cell has one, or else `|` if any cell has one.
//   4. Else, in a column of single labels (named label, class or category), none: the cell is the label.
//   5. Else `,` if any cell has one, else white space.

export interface LabelCellRule {
  /** The caller's separator. */
  readonly separator?: string | undefined
  /** Whether the column holds one label a cell, unless a `;` or `|` shows otherwise. */
  readonly single: boolean
}

/** Cuts a cell of this column into its labels: trimmed, without empty ones. */
export type LabelSplitter = (cell: string) => string[]

const bracketed = /^\s*<[^<>]*>(?:\s+<[^<>]*>)*\s*$/

/** What separates the labels in a column that holds `cells`; undefined if each cell is a label. */
export function labelSeparator(cells: readonly string[], rule: LabelCellRule): string | undefined {
  return rule.separator ?? commonSeparator(cells, rule.single)
}

/** The splitter for a column that holds `cells`. */
export function labelSplitter(cells: readonly string[], rule: LabelCellRule): LabelSplitter {
  const separator = labelSeparator(cells, rule)
  return cell => (isBracketed(cell) ? cutBrackets(cell) : cut(cell, separator))
}

function commonSeparator(cells: readonly string[], single: boolean): string | undefined {
  const candidates = single ? [';', '|'] : [';', '|', ',']
  const found = candidates.find(separator => cells.some(cell => cell.includes(separator) && !isBracketed(cell)))
  return found ?? (single ? undefined : ' ')
}

function isBracketed(cell: string): boolean {
  return cell.includes('<') && bracketed.test(cell)
}

function cutBrackets(cell: string): string[] {
  return keep(cell.split(/[<>]/))
}

function cut(cell: string, separator: string | undefined): string[] {
  if (separator === ' ') return cell.match(/\S+/g) ?? []
  return keep(separator === undefined ? [cell] : cell.split(separator))
}

function keep(parts: string[]): string[] {
  return parts.map(part => part.trim()).filter(part => part !== '')
}
