// Where the built page is, for servers and for sites made of it.

import { fileURLToPath } from 'node:url'

export const pageFolder = fileURLToPath(new URL('./dist', import.meta.url))
