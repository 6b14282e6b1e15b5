import { type Caller, oauth as operations } from '@callboard/contract'
import { fakeClock, granted, signedMessage, wallet } from '@callboard/testkit'
import { isRefusal, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_URL, requester, Stage } from './stage.ts'

const owner = wallet(1)
const clock = fakeClock()
let stage: Stage

beforeAll(async () => {
  stage = await Stage.open({ clock })
})
afterAll(() => stage.close())

async function nonce(purpose: 'login' | 'link' = 'login') {
  return granted(await stage.call(operations.siweNonce, { purpose }))
}

async function login(overrides: Parameters<typeof signedMessage>[2] = {}) {
  const asked = { purpose: 'login' as const, nonce: (await nonce()).nonce, baseUrl: BASE_URL, now: clock.now() }
  return { ...(await signedMessage(owner, asked, overrides)), requester }
}

async function signIn() {
  return granted(await stage.call(operations.createSession, await login()))
}

const introspect = (credential: string, kind: 'bearer' | 'session') =>
  stage.call(operations.introspect, { credential, kind })

async function sessionCaller() {
  const { sessionToken } = await signIn()
  const answer = await introspect(sessionToken, 'session')
  if (isRefusal(answer) || !answer.active) throw new Error('not signed in')
  return { caller: answer.caller, sessionToken }
}

describe('siweNonce', () => {
  test('200: says what the message of the purpose must contain', async () => {
    expect(await nonce('link')).toMatchObject({
      nonce: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
      statement: 'Link this wallet to a service account as an agent.',
      domain: '127.0.0.1:8402',
      uri: BASE_URL,
    })
  })
})

describe('createSession', () => {
  test('200: a signed message opens a session of the signer', async () => {
    const { owner: address, sessionToken } = await signIn()
    expect(address).toBe(owner.address)
    expect(await introspect(sessionToken, 'session')).toMatchObject({
      active: true,
      caller: { kind: 'session', owner: address },
    })
  })

  test('401 invalid_signature: a message works only once', async () => {
    const signed = await login()
    expect(isRefusal(await stage.call(operations.createSession, signed))).toBe(false)
    expect(await stage.call(operations.createSession, signed)).toMatchObject({ refusal: 'invalid_signature' })
  })

  test('of parallel uses of one message, exactly one signs in', async () => {
    const signed = await login()
    const answers = await Promise.all(Array.from({ length: 8 }, () => stage.call(operations.createSession, signed)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
  })

  test('401 invalid_signature: a nonce for another purpose does not sign in', async () => {
    const { nonce: linkNonce } = await nonce('link')
    const signed = await signedMessage(owner, {
      purpose: 'login',
      nonce: linkNonce,
      baseUrl: BASE_URL,
      now: clock.now(),
    })
    expect(await stage.call(operations.createSession, { ...signed, requester })).toMatchObject({
      refusal: 'invalid_signature',
    })
  })

  test.each([
    ['another host', { domain: 'evil.example' }],
    ['another origin', { uri: 'https://evil.example' }],
    ['another statement', { statement: 'Give me everything.' }],
    ['a chain that is not served', { chainId: 1 }],
    ['an hour ago', { issuedAt: new Date(clock.now() - 3_600_000).toISOString() }],
  ])('401 invalid_signature: a message for %s is refused', async (_what, overrides) => {
    expect(await stage.call(operations.createSession, await login(overrides))).toMatchObject({
      refusal: 'invalid_signature',
    })
  })

  test('503 temporarily_unavailable: no proof is judged when recovery gives another wallet and the chain is unreachable', async () => {
    const { message } = await login()
    const signature = await wallet(2).signMessage({ message })
    expect(await stage.call(operations.createSession, { message, signature, requester })).toMatchObject({
      refusal: 'temporarily_unavailable',
    })
  })
})

describe('signing in while signed in', () => {
  const again = async (replacedSession: string) =>
    stage.call(operations.createSession, { ...(await login()), replacedSession })

  test('makes a session with another id and ends the previous one, with its tokens', async () => {
    const { caller, sessionToken } = await sessionCaller()
    const console = granted(await stage.call(operations.consoleToken, {}, { caller }))
    const before = await introspect(sessionToken, 'session')
    clock.advance(1_000)
    const answer = await again(sessionToken)
    if (isRefusal(answer) || isRefusal(before) || !before.active) throw new Error('not signed in')
    expect(await introspect(sessionToken, 'session')).toEqual({ active: false })
    expect(await introspect(console.access_token, 'bearer')).toEqual({ active: false })
    const after = await introspect(answer.sessionToken, 'session')
    expect(after).toMatchObject({ active: true, caller: { signedInAt: new Date(clock.now()).toISOString() } })
    if (isRefusal(after) || !after.active || after.caller.kind !== 'session') throw new Error('not signed in')
    expect(after.caller.sessionId).not.toBe('sessionId' in before.caller && before.caller.sessionId)
    // What gateways cached of the old one is void: it was given under a lower number.
    expect(after.epoch).toBeGreaterThan(before.epoch)
  })

  test('as another owner also ends the previous session', async () => {
    const { sessionToken } = await signIn()
    const asked = { purpose: 'login' as const, nonce: (await nonce()).nonce, baseUrl: BASE_URL, now: clock.now() }
    const signed = await signedMessage(wallet(2), asked)
    const answer = await stage.call(operations.createSession, {
      ...signed,
      requester,
      replacedSession: sessionToken,
    })
    expect(answer).toMatchObject({ owner: wallet(2).address })
    expect(await introspect(sessionToken, 'session')).toEqual({ active: false })
  })

  test('ends nothing when the message is refused, and works when the previous session is already over', async () => {
    const { sessionToken } = await signIn()
    const bad = { ...(await login({ domain: 'evil.example' })), replacedSession: sessionToken }
    expect(await stage.call(operations.createSession, bad)).toMatchObject({ refusal: 'invalid_signature' })
    expect(await introspect(sessionToken, 'session')).toMatchObject({ active: true })
    expect(isRefusal(await again('nonsense'))).toBe(false)
  })
})

describe('sessions', () => {
  test('end at once at sign-out', async () => {
    const { caller, sessionToken } = await sessionCaller()
    expect(await stage.call(operations.deleteSession, {}, { caller })).toEqual({})
    expect(await introspect(sessionToken, 'session')).toEqual({ active: false })
  })

  test('end after a day without use, and after a week at the latest', async () => {
    const { sessionToken } = await signIn()
    clock.advance(23 * 3_600_000)
    expect(await introspect(sessionToken, 'session')).toMatchObject({ active: true })
    clock.advance(25 * 3_600_000)
    expect(await introspect(sessionToken, 'session')).toEqual({ active: false })
    const { sessionToken: second } = await signIn()
    for (let hour = 0; hour < 168; hour += 12) {
      expect(await introspect(second, 'session')).toMatchObject({ active: true })
      clock.advance(12 * 3_600_000)
    }
    expect(await introspect(second, 'session')).toEqual({ active: false })
  })
})

describe('the operations that make a credential', () => {
  const MAKES = [
    ['createKey', (caller: Caller) => stage.call(operations.createKey, { label: 'mine' }, { caller })],
    ['consoleToken', (caller: Caller) => stage.call(operations.consoleToken, {}, { caller })],
  ] as const

  test.each(MAKES)('403 fresh_signature_required: %s, when the wallet signed too long ago', async (_what, make) => {
    const { caller, sessionToken } = await sessionCaller()
    clock.advance(15 * MINUTE_MS)
    expect(isRefusal(await make(caller))).toBe(false)
    clock.advance(1)
    const refusal = { refusal: 'fresh_signature_required', details: { maxAgeSeconds: 900 } }
    expect(await make(caller)).toEqual(refusal)
    // The session continues; signing again is what helps.
    expect(await introspect(sessionToken, 'session')).toMatchObject({ active: true })
    expect(isRefusal(await make((await sessionCaller()).caller))).toBe(false)
  })

  test('makes a working console token after an earlier one was revoked, which stays ended', async () => {
    const { caller } = await sessionCaller()
    const make = async () => granted(await stage.call(operations.consoleToken, {}, { caller })).access_token
    const first = await make()
    expect(await introspect(first, 'bearer')).toMatchObject({ active: true })
    const noClient = { client_id: undefined, client_secret: undefined, token_type_hint: undefined }
    expect(await stage.call(operations.revoke, { ...noClient, token: first })).toEqual({})
    const second = await make()
    expect(await introspect(second, 'bearer')).toMatchObject({ active: true })
    expect(await introspect(first, 'bearer')).toEqual({ active: false })
    expect(await stage.call(operations.deleteSession, {}, { caller })).toEqual({})
    expect(await introspect(second, 'bearer')).toEqual({ active: false })
  })

  test.each(MAKES)(
    '401 unauthorized: %s, when the session ended after the request was admitted',
    async (_what, make) => {
      const { caller } = await sessionCaller()
      expect(await stage.call(operations.deleteSession, {}, { caller })).toEqual({})
      expect(await make(caller)).toMatchObject({ refusal: 'unauthorized' })
    },
  )
})

describe('API keys', () => {
  test('201: a key is shown once and authenticates its owner', async () => {
    const { caller } = await sessionCaller()
    const made = granted(await stage.call(operations.createKey, { label: 'laptop' }, { caller }))
    expect(await introspect(made.key, 'bearer')).toMatchObject({
      active: true,
      caller: { kind: 'api_key', owner: owner.address },
    })
    const listed = await stage.call(operations.listKeys, {}, { caller })
    expect(JSON.stringify(listed)).not.toContain(made.key)
    expect(await stage.database.query('select key_hash from oauth.api_key where id = $1', [made.id])).not.toEqual([
      { key_hash: made.key },
    ])
  })

  test('204: a revoked key is dead, and its epoch moves before the answer', async () => {
    const { caller } = await sessionCaller()
    const made = granted(await stage.call(operations.createKey, { label: 'old' }, { caller }))
    const before = await introspect(made.key, 'bearer')
    expect(await stage.call(operations.deleteKey, { id: made.id }, { caller })).toEqual({})
    expect(await introspect(made.key, 'bearer')).toEqual({ active: false })
    expect(before).toMatchObject({ active: true, epoch: expect.any(Number) })
    const rows = await stage.database.query<{ epoch: string }>('select epoch from oauth.account where owner = $1', [
      owner.address,
    ])
    if (isRefusal(before) || !before.active) throw new Error('inactive')
    expect(Number(rows[0]?.epoch)).toBeGreaterThan(before.epoch)
  })

  test('404 not_found: a key of another owner cannot be revoked', async () => {
    const { caller } = await sessionCaller()
    const made = granted(await stage.call(operations.createKey, { label: 'mine' }, { caller }))
    const otherOwner = { ...caller, owner: wallet(3).address } as typeof caller
    expect(await stage.call(operations.deleteKey, { id: made.id }, { caller: otherOwner })).toMatchObject({
      refusal: 'not_found',
    })
    expect(await introspect(made.key, 'bearer')).toMatchObject({ active: true })
  })
})
