/** The log of a store, in its folder. */
export const logFile = 'log.mdb'
