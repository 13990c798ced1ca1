// The error of calls that name something that does not exist. This differs from a call that is wrong in itself.

import { EngineError } from '@vicinal/core'

export class NotFound extends EngineError {
  constructor(message: string, hint?: string) {
    super('UNKNOWN_NAME', message, hint === undefined ? {} : { hint })
  }

  override get status(): number {
    return 404
  }
}
