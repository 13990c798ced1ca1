// All operations, by kind. A new one is a definition and a line here.

import * as collection from './collection-operations.ts'
import * as index from './index-operations.ts'
import * as memory from './memory-operations.ts'
import * as insight from './model-insight-operations.ts'
import * as model from './model-operations.ts'
import type { Operation } from './operation.ts'
import type { ServedKind } from './served.ts'

export const operations: readonly Operation[] = [model, insight, index, collection, memory].flatMap(of =>
  Object.values(of),
)

export function findOperation(kind: ServedKind, name: string): Operation | undefined {
  return operations.find(operation => operation.kind === kind && operation.name === name)
}
