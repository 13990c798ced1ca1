// The order of labels in the table. Ties go to labels with more items: their quality is surer, and matters more.

import { type LabelQuality, nameOf } from '../backend/answers.ts'

export type LabelColumn = 'label' | 'support' | 'precision' | 'recall' | 'f1'

export function sortLabels(rows: readonly LabelQuality[], column: LabelColumn, isDown: boolean): LabelQuality[] {
  const sign = isDown ? -1 : 1
  return [...rows].sort((a, b) => {
    const order = column === 'label' ? nameOf(a).localeCompare(nameOf(b)) : a[column] - b[column]
    return sign * order || b.support - a.support
  })
}
