// The operations without HTTP, disk or Node: what answers on a site without a server, in the visitor's browser. A separate entry point.

export type { ChangeLog } from './service/corrections.ts'
export type { Quality } from './service/insight/model-insight.ts'
export { serveCollection, serveIndex, serveModel } from './service/serve-opened.ts'
export type { Served, ServedKind, ServedModel } from './service/served.ts'
export { ServedTable } from './service/served-table.ts'
export { type Failure, failureOf } from './service/thread/messages.ts'
export type { SiteFile } from './site/site-file.ts'
