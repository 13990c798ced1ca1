// The engine in the visitor's browser: loads the files of a site, and answers the operations of the service.

import { EngineError } from '@vicinal/core'
import { failureOf, type ServedTable } from '@vicinal/server/operations'
import type { Answered, Asked } from './messages.ts'
import { openSite } from './open-site.ts'

const running = new Map<number, AbortController>()
let table: ServedTable | undefined

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  if (data.do === 'open') void open(data)
  else if (data.do === 'call') void call(data)
  else running.get(data.number)?.abort()
})

async function open({ files, base }: Asked & { do: 'open' }): Promise<void> {
  try {
    table = await openSite(files, base, progress => tell({ do: 'progress', progress }))
    tell({ do: 'opened', served: table.served })
  } catch (error) {
    tell({ do: 'not opened', failure: failureOf(error) })
  }
}

async function call({ number, kind, name, operation, input }: Asked & { do: 'call' }): Promise<void> {
  const stopper = new AbortController()
  running.set(number, stopper)
  try {
    if (!table) throw new EngineError('INTERNAL', 'nothing was opened')
    tell({ do: 'answer', number, answer: await table.call(kind, name, operation, input, stopper.signal) })
  } catch (error) {
    tell({ do: 'fail', number, failure: failureOf(error) })
  } finally {
    running.delete(number)
  }
}

function tell(answered: Answered): void {
  postMessage(answered)
}
