// Bad requests of every kind against a real service process; attack.slow.test.ts sends ten thousand.

import { describeAttack } from './describe-attack.cases.ts'

describeAttack(1000, 1)
