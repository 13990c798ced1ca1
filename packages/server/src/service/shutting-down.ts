// The service ends, and takes no new calls.

import { EngineError } from '@vicinal/core'

export class ShuttingDown extends EngineError {
  constructor() {
    super('ABORTED', 'the service is shutting down')
  }

  override get status(): number {
    return 503
  }
}
