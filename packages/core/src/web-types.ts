// The web platform's types, as our declarations name them. Programs are compiled with the DOM's types, with Node's, or with neither. If
// the compiler knows a type, it is meant; if not, the part of it that we use. So our declarations compile with plain ES2023.

/** The global class of this name, or `Otherwise` if the compiler does not know it. */
type Global<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Real }> ? Real : Otherwise

/** The same for classes of WebAssembly. */
type Wasm<Name extends string, Otherwise> =
  typeof globalThis extends Record<'WebAssembly', Record<Name, { prototype: infer Real }>> ? Real : Otherwise

interface SignalPart {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

interface StreamPart {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
    cancel(reason?: unknown): Promise<void>
    releaseLock(): void
  }
}

interface MemoryPart {
  readonly buffer: ArrayBuffer | SharedArrayBuffer
  grow(pages: number): number
}

/** `AbortSignal`, which stops long work. */
export type WebSignal = Global<'AbortSignal', SignalPart>
/** `URL`. */
export type WebUrl = Global<'URL', { readonly href: string }>
/** `Blob`, and so `File`. */
export type WebBlob = Global<'Blob', { readonly size: number; stream(): StreamPart }>
/** `ReadableStream<Uint8Array>`. The class is known without its parameter, so that its reader says what it reads. */
export type WebStream = Global<'ReadableStream', unknown> & StreamPart
/** `WebAssembly.Memory`. */
export type WasmMemory = Wasm<'Memory', MemoryPart>
/** `WebAssembly.Module`. */
export type WasmModule = Wasm<'Module', object>

/** Called at the end of a `using` block: the same as `free`. */
export type Dispose = () => void

/** `{ [Symbol.dispose](): void }`, which `using` asks for; empty if the compiler does not know the symbol. */
export type Disposes = {
  [Key in SymbolConstructor extends { readonly dispose: infer Name extends symbol } ? Name : never]: Dispose
}
