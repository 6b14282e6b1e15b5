import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { aRelay, keeperOf, newRelay, RELAYS } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const op = agents.openRelay

export const openRelay: Register = (target) => {
  test('binds the relay to the first owner, who may repeat it; a HEAD and a prefetch do not bind it', async () => {
    const { asked, path } = await newRelay(target())
    const [first, second] = [(await keeperOf(target())).owner, await visitorOf(target())]
    expect((await second.session.head(path)).status).toBe(405)
    const ahead = await second.session.get(path, { headers: { 'sec-purpose': 'prefetch' } })
    refused(op, ahead, 403, 'unsolicited_request')
    for (let time = 0; time < 2; time++) {
      const shown = accepted(op, await first.session.get(path))
      const { publicKey, device, purpose } = asked
      expect(shown).toMatchObject({ publicKey, claimed: { device, purpose }, sealed: false })
    }
    refused(op, await second.session.get(path), 409, 'relay_of_another')
  })

  test('404 not_found: a code that was never created', async () => {
    const { session } = await visitorOf(target())
    refused(op, await session.get(`${RELAYS}/${aRelay().code}`), 404, 'not_found')
  })

  test('401 unauthorized: without a session, and with an API key', async () => {
    const { api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(op, await client.get(`${RELAYS}/${aRelay().code}`), 401, 'unauthorized')
    }
  })
}
