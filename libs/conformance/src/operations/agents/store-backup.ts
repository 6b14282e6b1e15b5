import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { anEnvelope, BACKUP, DEVICE, keeperOf, stored } from '../../actors/sealed.ts'
import { refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const op = agents.storeBackup

export const storeBackup: Register = (target) => {
  test('replaces the previous backup', async () => {
    const keeper = await keeperOf(target())
    const first = await stored(keeper)
    const second = await stored(keeper)
    expect(second.etag).not.toBe(first.etag)
    const kept = await keeper.owner.session.get(`/api/agents/devices/${DEVICE}/backup`)
    expect(kept.json()).toEqual(second.envelope)
  })

  test('412 precondition_failed: a tag other than the stored one, a weak tag, and * if a backup exists', async () => {
    const keeper = await keeperOf(target())
    const { etag } = await stored(keeper)
    const put = (name: string, value: string) =>
      keeper.agent.api.put(BACKUP, anEnvelope(), { headers: { [name]: value } })
    for (const [name, value] of [
      ['if-match', '"other"'],
      ['if-match', `W/${etag}`],
      ['if-none-match', '*'],
    ] as const) {
      refused(op, await put(name, value), 412, 'precondition_failed')
    }
    expect((await put('if-match', etag)).status).toBe(200)
    refused(op, await put('if-match', etag), 412, 'precondition_failed')
  })

  test('409 no_device: an agent linked without a device', async () => {
    const { owner } = await keeperOf(target())
    const { api } = await newAgent(target(), owner)
    refused(op, await api.put(BACKUP, anEnvelope()), 409, 'no_device')
  })

  test('401 unauthorized: no credential, an API key, a session', async () => {
    const { owner } = await keeperOf(target())
    for (const client of [new Client(target().baseUrl), owner.api, owner.session]) {
      refused(op, await client.put(BACKUP, anEnvelope()), 401, 'unauthorized')
    }
  })

  test('400 names the field', async () => {
    const { agent } = await keeperOf(target())
    for (const [wrong, field] of [
      [{ version: 2 }, 'version'],
      [{ enc: 'A'.repeat(43) }, 'enc'],
      [{ recipient: 'a'.repeat(42) }, 'recipient'],
      [{ ciphertext: 'a+b/' }, 'ciphertext'],
      [{ ciphertext: 'a'.repeat(87_404) }, 'ciphertext'],
      [{ plaintext: 'a' }, 'plaintext'],
    ] as const) {
      refused(op, await agent.api.put(BACKUP, { ...anEnvelope(), ...wrong }), 400, 'invalid_request', field)
    }
  })
}
