// What `import … from 'vicinal'` gives: the engine, with the formats and stemmers that need a library registered.

import { registerFormat } from '@vicinal/core/data'
import { libraryFormats } from './formats/index.ts'
import './stemmers.ts'

for (const format of libraryFormats) registerFormat(format)

export * from '@vicinal/core'
export * from '@vicinal/core/data'
export type { AxisOptions, Plot, Series } from './plot/axis.ts'
export { type SvgPlotOptions, svgPlot } from './plot/svg-plot.ts'
export { type TreeSvgOptions, treeSvg } from './plot/tree-svg.ts'
export { treeText } from './plot/tree-text.ts'
