import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { LINK_STATEMENT } from '../../expectations/specification.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/siwe-nonce'

export const siweNonce: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const ask = async (purpose: string) => accepted(oauth.siweNonce, await client().get(`${PATH}?purpose=${purpose}`))

  test.each(['login', 'link', 'publish', 'claim'])(
    '%s: returns a nonce and the required content of the message',
    async (purpose) => {
      const { host, origin } = new URL(target().baseUrl)
      const { nonce, domain, uri, expiresAt, statement } = await ask(purpose)
      expect(nonce).toMatch(/^[A-Za-z0-9]{8,}$/)
      expect({ domain, uri }).toEqual({ domain: host, uri: origin })
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
      if (purpose === 'link') expect(statement).toBe(LINK_STATEMENT)
    },
  )

  test('every nonce is new', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => client().get(`${PATH}?purpose=login`)))
    expect(new Set(answers.map((answer) => (answer.json() as { nonce: string }).nonce)).size).toBe(4)
  })

  test('HEAD creates no nonce: 405', async () => {
    const { status, headers } = await client().head(`${PATH}?purpose=login`)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('GET')
  })

  test.each([
    ['no purpose', '', 'purpose'],
    ['an unknown purpose', '?purpose=transfer', 'purpose'],
    ['an unknown parameter', '?purpose=login&wallet=0x1', 'wallet'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(oauth.siweNonce, await client().get(`${PATH}${query}`), 400, 'invalid_request', field)
  })
}
