// ForestClassifier: labels from the leaves of a forest.

export { forestLabelBytes, forestLabels, forestReach } from '../forest/labels'
