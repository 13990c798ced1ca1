// The flows of the page on the screens that page.test.ts leaves out.

import { describePage } from './page.cases.ts'
import { screens } from './page-browser.ts'

describePage([screens.deskDark, screens.phoneLight])
