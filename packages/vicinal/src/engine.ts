// The engine with all its methods and index kinds, for Node and for pages.

import { registerIndexKind, registerMethod } from '@vicinal/core'
import { marginMethod, netKind } from '@vicinal/core/margin'
import { memoryMethod } from '@vicinal/core/memory'

for (const method of [memoryMethod, marginMethod]) registerMethod(method)
registerIndexKind(netKind)

export * from '@vicinal/core'
export * from '@vicinal/core/collection'
export * from '@vicinal/core/data'
export * from '@vicinal/core/inspect'
export * from '@vicinal/core/margin'
export * from '@vicinal/core/memory'
