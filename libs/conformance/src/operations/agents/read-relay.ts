import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { aRelay, newRelay, RELAYS, someSealed } from '../../actors/sealed.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const op = agents.readRelay

export const readRelay: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('returns pending until it is sealed, then the result once; a HEAD and a prefetch consume nothing', async () => {
    const { path } = await newRelay(target())
    const result = `${path}/result`
    expect(accepted(op, await client().get(result))).toMatchObject({ status: 'pending', opened: false })
    const { session } = await visitorOf(target())
    accepted(agents.openRelay, await session.get(path))
    expect(accepted(op, await client().get(result))).toMatchObject({ status: 'pending', opened: true })
    const sealed = someSealed()
    accepted(agents.sealRelay, await session.put(path, sealed))
    expect((await client().head(result)).status).toBe(405)
    const ahead = await client().get(result, { headers: { 'sec-purpose': 'prefetch' } })
    refused(op, ahead, 403, 'unsolicited_request')
    expect(accepted(op, await client().get(result))).toEqual({ status: 'sealed', result: sealed })
    refused(op, await client().get(result), 404, 'not_found')
    refused(agents.openRelay, await session.get(path), 404, 'not_found')
  })

  test('404 not_found: a code that was never created; 400 names a malformed code', async () => {
    refused(op, await client().get(`${RELAYS}/${aRelay().code}/result`), 404, 'not_found')
    refused(op, await client().get(`${RELAYS}/short/result`), 400, 'invalid_request', 'code')
  })
}
