import { agents } from '@callboard/contract'
import { test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { aRelay, keeperOf, newRelay, RELAYS, someSealed } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const op = agents.sealRelay

export const sealRelay: Register = (target) => {
  test('seals once, for the owner who opened it; else 409 relay_unopened, relay_of_another or relay_sealed', async () => {
    const { path } = await newRelay(target())
    const [owner, other] = [(await keeperOf(target())).owner, await visitorOf(target())]
    refused(op, await owner.session.put(path, someSealed()), 409, 'relay_unopened')
    accepted(agents.openRelay, await owner.session.get(path))
    refused(op, await other.session.put(path, someSealed()), 409, 'relay_of_another')
    const wrong = { ...someSealed(), version: 2 }
    refused(op, await owner.session.put(path, wrong), 400, 'invalid_request', 'version')
    accepted(op, await owner.session.put(path, someSealed()))
    refused(op, await owner.session.put(path, someSealed()), 409, 'relay_sealed')
  })

  test('404 not_found: a code that was never created', async () => {
    const { session } = await visitorOf(target())
    refused(op, await session.put(`${RELAYS}/${aRelay().code}`, someSealed()), 404, 'not_found')
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write from another site', async () => {
    const path = `${RELAYS}/${aRelay().code}`
    refused(op, await new Client(target().baseUrl).put(path, someSealed()), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    const answer = await session.put(path, someSealed(), { headers: { origin: 'https://callboard.example' } })
    refused(op, answer, 403, 'origin_mismatch', 'origin')
  })
}
