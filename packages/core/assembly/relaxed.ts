// What the relaxed module has: only the kernels that gain by fused multiply-adds and serve answers, not fitting. All others
// come from the plain module.

export * from './dense'
