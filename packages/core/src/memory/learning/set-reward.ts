// The reward of a memory whose value is a set of labels (paper 002, section 4.3).

/** F1 of two sets of labels; with one label each, 1 if they are the same. Two empty sets are the same. */
export function setReward(a: readonly unknown[], b: readonly unknown[]): number {
  if (a.length + b.length === 0) return 1
  return (2 * b.filter(label => a.includes(label)).length) / (a.length + b.length)
}
