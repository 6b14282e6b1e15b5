import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/health'

export const health: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)

  test('200 while payments on some network can be settled', async () => {
    const { status, networks } = accepted(x402Facilitator.health, await get())
    const unable = networks.filter(({ canSettle }) => !canSettle)
    expect(unable.length).toBeLessThan(networks.length)
    expect(status).toBe(unable.length === 0 ? 'ok' : 'degraded')
    for (const { reason } of unable) expect(reason).toBeDefined()
  })

  staged(target, 'reports that the devnet can be settled on', async ({ devnet }) => {
    const { networks } = accepted(x402Facilitator.health, await get())
    expect(networks).toContainEqual({ network: devnet.network, canSettle: true })
  })

  test('400 names the field: it takes no parameters', async () => {
    refused(x402Facilitator.health, await get('?a=1'), 400, 'invalid_request', 'a')
  })
}
