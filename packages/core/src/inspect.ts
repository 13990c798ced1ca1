// The entry point for looking into models and indexes: maps, pictures, quality and curves. Separate, so that programs that only answer do
// not load it.

export type { ReliabilityBin } from './evaluate/reliability.ts'
export { type IndexCurve, type IndexCurveOptions, measureIndex } from './inspect/index-curve.ts'
export { type LabelMapOptions, type LabelPoint, mapLabels } from './inspect/label-map.ts'
export { type ClassifierQuality, measureQuality, type NamedLabelReport } from './inspect/quality.ts'
export { searchLike, storedItem } from './inspect/stored-item.ts'
export type { AxisOptions, Plot, Series } from './plot/axis.ts'
export { type SvgPlotOptions, svgPlot } from './plot/svg-plot.ts'
export { type TreeSvgOptions, treeSvg } from './plot/tree-svg.ts'
export { treeText } from './plot/tree-text.ts'
