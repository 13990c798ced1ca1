// How often a classifier learned or forgot rows, so that long work sees whether it changed meanwhile. Kept beside the classifiers: it is
// nothing that callers should have to know about.

const counts = new WeakMap<object, number>()

/** Call it whenever rows come or go. */
export function noteChange(classifier: object): void {
  counts.set(classifier, changesOf(classifier) + 1)
}

export function changesOf(classifier: object): number {
  return counts.get(classifier) ?? 0
}
