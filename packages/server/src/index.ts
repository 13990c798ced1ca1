// The durable store of the memory.

export {}
