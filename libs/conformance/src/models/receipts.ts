import { createHash, createPublicKey, verify } from 'node:crypto'
import { type OutputOf, router } from '@callboard/contract'
import { expect } from 'vitest'
import { Client } from '../actors/client.ts'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import type { Balance, SoldModel } from './sold.ts'

type Signed = OutputOf<typeof router.receipt>

const partsOf = (jws: string) => jws.split('.').map((part) => Buffer.from(part, 'base64url'))

/** Makes a call and waits for its whole answer. @returns its id */
export async function calledWith({ id }: SoldModel, { key }: Balance): Promise<string> {
  const body = { model: id, messages: [{ role: 'user', content: 'Name a city.' }], max_tokens: 16 }
  const answer = await key.bearer.post('/v1/chat/completions', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.headers.get('x-callboard-call-id') ?? ''
}

/** The signature covers exactly this receipt, and its key is one that the target publishes. */
export async function expectSigned({ baseUrl }: Target, { receipt, hash, jws }: Signed): Promise<void> {
  const [head, payload = Buffer.of(), signature = Buffer.of()] = partsOf(jws)
  const { alg, kid, jku } = JSON.parse(String(head))
  expect(alg).toBe('EdDSA')
  expect(JSON.parse(payload.toString())).toEqual(receipt)
  expect(createHash('sha256').update(payload).digest('hex')).toBe(hash)
  const { pathname, search } = new URL(jku)
  const { keys } = accepted(router.receiptKeys, await new Client(baseUrl).get(pathname + search))
  const jwk = keys.find((one) => one.kid === kid)
  if (!jwk) expect.fail(`${kid} is no published key`)
  const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' })
  const signed = Buffer.from(jws.slice(0, jws.lastIndexOf('.')))
  expect(verify(null, signed, key, signature), 'the signature').toBe(true)
}
