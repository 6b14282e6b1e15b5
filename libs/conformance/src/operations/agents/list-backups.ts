import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { DEVICE, keeperOf, stored } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/backups'

export const listBackups: Register = (target) => {
  test('lists the metadata of the owner’s backups, and of no other owner’s', async () => {
    const keeper = await keeperOf(target())
    const { envelope, backup } = await stored(keeper)
    const { backups } = accepted(agents.listBackups, await keeper.owner.session.get(PATH))
    expect(backups).toEqual([backup])
    expect(backup).toMatchObject({
      ...{ device: DEVICE, recipient: envelope.recipient, bytes: 200, storedBy: keeper.agent.clientId },
    })
    const { session } = await visitorOf(target())
    expect(accepted(agents.listBackups, await session.get(PATH)).backups).toEqual([])
  })

  test('401 unauthorized: without a session, and with an agent’s token', async () => {
    const { agent } = await keeperOf(target())
    for (const client of [new Client(target().baseUrl), agent.api]) {
      refused(agents.listBackups, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
