// The loops over vectors themselves, for who computes with an engine directly: distances, codes, choosing the best.

export * from '../dense'
export * from '../quantized'
export * from '../select'
export * from '../sparse'
