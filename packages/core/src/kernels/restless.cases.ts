// For the tests that run a second time as on an ordinary page: memory cannot be shared, so engines have one thread, and the memory
// moves at every allocation, so that a view held across one is found at once.

import { Heap } from './heap.ts'

Reflect.deleteProperty(globalThis, 'SharedArrayBuffer')
Heap.restless = true
