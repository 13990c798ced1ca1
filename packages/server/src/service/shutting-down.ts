// The error of calls that come while the service shuts down.

import { EngineError } from '@vicinal/core'

export class ShuttingDown extends EngineError {
  constructor() {
    super('ABORTED', 'the service is shutting down')
  }

  override get status(): number {
    return 503
  }
}
