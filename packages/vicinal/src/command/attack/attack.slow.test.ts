// Ten thousand bad requests against a real service process.

import { describeAttack } from './describe-attack.cases.ts'

describeAttack(10_000, 2)
