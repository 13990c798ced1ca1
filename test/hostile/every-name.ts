// Every name that our packages export, public or internal: hostile tests call all of them.

export * from '@vicinal/core/internals'
export * from 'vicinal'
