// Replaces node-worker.ts in pages, like store/files/no-files.ts: the `browser` field of package.json tells bundlers.

export function startNodeWorker(): undefined {}
