// Every name of core and its data files, public or internal: hostile tests call all of them.

export * from '@vicinal/core'
export * from '@vicinal/core/data'
export * from '@vicinal/core/internals'
