// Plain vector kernels, for code that uses an engine directly: distances, codes, top k.

export * from '../dense'
export * from '../quantized'
export * from '../select'
export * from '../sparse'
