// An operation: one call of the engine, with the shapes of its input and output. HTTP routes, the OpenAPI document and MCP tools are all made
// from these definitions, so that names and shapes are the same everywhere.

import type { z } from 'zod'
import type { ServedKind, ServedOf } from './served.ts'

/** What a caller may do: 'write' includes 'read'. */
export type Access = 'read' | 'write'

export interface Operation<Kind extends ServedKind = ServedKind, Input extends z.ZodType = z.ZodType> {
  readonly kind: Kind
  /** Unique among those of its kind. */
  readonly name: string
  /** What it does for the caller, in one sentence. */
  readonly summary: string
  readonly access: Access
  readonly verb: 'get' | 'post' | 'put' | 'delete'
  /** After the name of what is served: '/predict'. Parts in braces are fields of the input. */
  readonly path: string
  readonly input: Input
  /** For documents: what the engine answers is not checked again. */
  readonly output: z.ZodType
  run(served: ServedOf<Kind>, input: z.output<Input>, signal: AbortSignal): object | Promise<object>
}

/** Infers the types of an operation from its shapes. */
export function operation<Kind extends ServedKind, Input extends z.ZodType>(given: Operation<Kind, Input>): Operation {
  return given as unknown as Operation // the table calls it with what its own shapes have let through
}
