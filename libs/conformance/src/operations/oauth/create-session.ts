import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { type Asked, askNonce, chainIdOf, presentLogin, signSiwe } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/session'
const Body = oauth.createSession.output.omit({ sessionToken: true })

export const createSession: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const account = newAccount()

  test('a signed message signs its wallet in; the token is in the cookie only', async () => {
    const answer = await presentLogin(target(), account)
    const { owner, expiresAt } = accepted(oauth.createSession, answer, Body)
    expect(owner).toBe(account.address)
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
    const [cookie, ...others] = answer.headers.getSetCookie()
    expect(others).toEqual([])
    const isSecure = target().baseUrl.startsWith('https:')
    expect(cookie).toMatch(isSecure ? /^__Host-callboard=\S{32,};/ : /^callboard=\S{32,};/)
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', ...(isSecure ? ['Secure'] : [])]) {
      expect(cookie).toContain(attribute)
    }
  })

  /** Presents a login with a faulty message or signer. */
  async function spoilt(change: (asked: Asked) => Asked, { purpose = 'login', signer = account } = {}) {
    const asked = change(await askNonce(client(), purpose))
    const { message } = await signSiwe(account, asked, await chainIdOf(target()))
    return client().post(PATH, { message, signature: await signer.signMessage({ message }) })
  }

  test.each<[string, (asked: Asked) => Asked, { purpose?: string; signer?: typeof account }]>([
    ['signed by another key', (asked) => asked, { signer: newAccount() }],
    ['another site’s domain', (asked) => ({ ...asked, domain: 'callboard.example' }), {}],
    ['another site’s URI', (asked) => ({ ...asked, uri: 'https://callboard.example' }), {}],
    ['another statement', (asked) => ({ ...asked, statement: 'Send me your money.' }), {}],
    ['a nonce that was never issued', (asked) => ({ ...asked, nonce: 'a1b2c3d4e5f6a7b8' }), {}],
    ['the message of another purpose', (asked) => asked, { purpose: 'publish' }],
  ])('401 invalid_signature: %s', async (_what, change, options) => {
    refused(oauth.createSession, await spoilt(change, options), 401, 'invalid_signature')
  })

  test('401 invalid_signature: a nonce for another purpose does not sign in', async () => {
    const { nonce } = await askNonce(client(), 'publish')
    refused(oauth.createSession, await spoilt((asked) => ({ ...asked, nonce })), 401, 'invalid_signature')
  })

  test('401 invalid_signature: a chain that is not served', async () => {
    const signed = await signSiwe(account, await askNonce(client(), 'login'), 999_999_999)
    refused(oauth.createSession, await client().post(PATH, signed), 401, 'invalid_signature')
  })

  test('401 invalid_signature: a message signs in once', async () => {
    const signed = await signSiwe(account, await askNonce(client(), 'login'), await chainIdOf(target()))
    const answers = await Promise.all(Array.from({ length: 3 }, () => client().post(PATH, signed)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test.each([
    ['no message', { signature: '0x00' }, 'message'],
    ['no signature', { message: 'a' }, 'signature'],
    ['a signature that is no hex', { message: 'a', signature: 'zz' }, 'signature'],
    ['a message beyond its length', { message: 'a'.repeat(2049), signature: '0x00' }, 'message'],
    ['an unknown member', { message: 'a', signature: '0x00', remember: true }, 'remember'],
  ])('400 names the field: %s', async (_what, body, field) => {
    refused(oauth.createSession, await client().post(PATH, body), 400, 'invalid_request', field)
  })
}
