// The ids by which callers know their items.

/** The caller's key of an item; without keys of the caller's, its row. */
export type Id = string | number
