import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { aRelay, RELAYS } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const op = agents.createRelay
const LIFE_MS = 600_000

/** Creates few relays, since each address may create only a few. */
export const createRelay: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('creates a relay that lives ten minutes; 409 relay_code_taken: a second one with its code', async () => {
    const asked = aRelay('backup-key')
    const began = Date.now()
    const { expiresAt } = accepted(op, await client().post(RELAYS, asked))
    expect(Math.abs(Date.parse(expiresAt) - began - LIFE_MS)).toBeLessThan(30_000)
    refused(op, await client().post(RELAYS, { ...aRelay(), code: asked.code }), 409, 'relay_code_taken')
  })

  test('400 names the field', async () => {
    for (const [wrong, field] of [
      [{ publicKey: 'A'.repeat(43) }, 'publicKey'],
      [{ code: 'a'.repeat(21) }, 'code'],
      [{ purpose: 'else' }, 'purpose'],
    ] as const) {
      refused(op, await client().post(RELAYS, { ...aRelay(), ...wrong }), 400, 'invalid_request', field)
    }
  })
}
