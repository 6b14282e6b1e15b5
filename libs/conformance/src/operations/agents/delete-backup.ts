import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { DEVICE, keeperOf, stored } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = `/api/agents/devices/${DEVICE}/backup`

export const deleteBackup: Register = (target) => {
  test('deletes the owner’s backup and no other owner’s; repeating it is no error', async () => {
    const keeper = await keeperOf(target())
    await stored(keeper)
    const { session } = await visitorOf(target())
    accepted(agents.deleteBackup, await session.delete(PATH))
    expect((await keeper.owner.session.get(PATH)).status).toBe(200)
    for (let time = 0; time < 2; time++) accepted(agents.deleteBackup, await keeper.owner.session.delete(PATH))
    expect((await keeper.owner.session.get(PATH)).status).toBe(404)
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write without Origin', async () => {
    refused(agents.deleteBackup, await new Client(target().baseUrl).delete(PATH), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    const answer = await session.delete(PATH, { headers: { origin: '' } })
    refused(agents.deleteBackup, answer, 403, 'origin_mismatch', 'origin')
  })
}
