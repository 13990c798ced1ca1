// The test of an attack, short or long: every answer is a 4xx problem, and afterwards the service is as before.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AttackedService } from './attacked-service.cases.ts'

export function describeAttack(count: number, seed: number): void {
  describe(`${count} bad requests`, () => {
    const service = new AttackedService()
    beforeAll(() => service.start(), 120_000)
    afterAll(() => service.remove())

    it('get 4xx problems, and change nothing', { timeout: 500_000 }, async () => {
      const before = await service.answers()
      expect(before.map(answer => (answer as { status: number }).status)).toEqual(Array(8).fill(200))
      const requests = await service.requests(count, seed)
      expect(requests.filter(({ expected }) => expected !== 'fair').length).toBeGreaterThan(count * 0.8)
      expect(await service.attack(requests)).toEqual([])
      expect(await service.answers()).toEqual(before)
      const metrics = await service.metrics()
      expect(metrics).toMatch(/^vicinal_requests_active 1$/m) // the one that asks
      expect(metrics).not.toContain('code="INTERNAL"')
      for (const { exit, stderr } of await service.stop()) {
        expect([exit, stderr]).toEqual([[0, null], ''])
      }
    })
  })
}
