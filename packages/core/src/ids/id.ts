// The ids by which callers know their items.

/** Your key of an item. Default: its row number. */
export type Id = string | number
