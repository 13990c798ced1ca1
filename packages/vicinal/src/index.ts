// What `import … from 'vicinal'` gives: the engine, with all its methods and indexes, and the formats and stemmers that need a library, registered.

import { registerIndexKind, registerMethod } from '@vicinal/core'
import { registerFormat } from '@vicinal/core/data'
import { marginMethod, netKind } from '@vicinal/core/margin'
import { memoryMethod } from '@vicinal/core/memory'
import { libraryFormats } from './formats/index.ts'
import './stemmers.ts'

for (const format of libraryFormats) registerFormat(format)
for (const method of [memoryMethod, marginMethod]) registerMethod(method)
registerIndexKind(netKind)

export * from '@vicinal/core'
export * from '@vicinal/core/data'
export * from '@vicinal/core/kernels'
export * from '@vicinal/core/margin'
export * from '@vicinal/core/memory'
export type { AxisOptions, Plot, Series } from './plot/axis.ts'
export { type SvgPlotOptions, svgPlot } from './plot/svg-plot.ts'
export { type TreeSvgOptions, treeSvg } from './plot/tree-svg.ts'
export { treeText } from './plot/tree-text.ts'
