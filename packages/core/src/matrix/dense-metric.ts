// The distances that dense rows can be compared by.

/** All metrics of dense rows. */
export const denseMetrics = ['euclidean', 'cosine', 'dot'] as const

/** What `distance` means: 'euclidean' the length of the difference, 'cosine' 1 − cosine, 'dot' −product. */
export type DenseMetric = (typeof denseMetrics)[number]
