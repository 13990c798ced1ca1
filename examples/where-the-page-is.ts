import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pageFolder } from '@vicinal/web'

console.log(`the page is ${existsSync(join(pageFolder, 'index.html')) ? 'built' : 'missing'}`)
