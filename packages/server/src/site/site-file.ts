// What a site says about the files that it shows: written by `writeSite`, read by the page.

/** A file that the page of a site loads. */
export interface SiteFile {
  readonly kind: 'model' | 'index' | 'collection'
  readonly name: string
  /** Relative to the page. */
  readonly url: string
  readonly bytes: number
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
  /** Where the page finds what was measured of it, if anything was. Relative to the page. */
  readonly quality?: string
}
