// LcifClassifier: learning weights, scoring labels.

export * from '../label/scores'
export * from '../label/weights'
