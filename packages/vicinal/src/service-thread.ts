// The thread of `vicinal serve` that holds the engine: everything that models may need is registered, then it waits for calls.

import './index.ts'
import { runServiceThread } from '@vicinal/server/http'

runServiceThread()
