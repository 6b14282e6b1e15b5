import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { DEVICE, keeperOf, stored } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const pathOf = (device: string) => `/api/agents/devices/${device}/backup`

export const readBackup: Register = (target) => {
  test('returns the envelope as it was stored, with its ETag, also for HEAD', async () => {
    const keeper = await keeperOf(target())
    const { envelope, etag } = await stored(keeper)
    const answer = await keeper.owner.session.get(pathOf(DEVICE))
    const shown = accepted(agents.readBackup, answer, agents.readBackup.output.omit({ etag: true }))
    expect(shown).toEqual(envelope)
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{43}"$/)
    expect(answer.headers.get('etag')).toBe(etag)
    expect((await keeper.owner.session.head(pathOf(DEVICE))).headers.get('etag')).toBe(etag)
  })

  test('404 not_found: a device without a backup, and another owner’s device', async () => {
    const keeper = await keeperOf(target())
    await stored(keeper)
    refused(agents.readBackup, await keeper.owner.session.get(pathOf('unknown')), 404, 'not_found')
    const { session } = await visitorOf(target())
    refused(agents.readBackup, await session.get(pathOf(DEVICE)), 404, 'not_found')
  })

  test('400 names the device; 401 unauthorized without a session, and with an agent’s token', async () => {
    const { owner, agent } = await keeperOf(target())
    refused(agents.readBackup, await owner.session.get(pathOf('Laptop')), 400, 'invalid_request', 'device')
    for (const client of [new Client(target().baseUrl), agent.api]) {
      refused(agents.readBackup, await client.get(pathOf(DEVICE)), 401, 'unauthorized')
    }
  })
}
