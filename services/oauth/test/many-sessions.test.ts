import { type Caller, oauth as operations } from '@callboard/contract'
import { fakeClock, granted, signedMessage, wallet } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BASE_URL, requester, Stage } from './stage.ts'

const owner = wallet(1)
const clock = fakeClock()
let stage: Stage

beforeAll(async () => {
  stage = await Stage.open({ clock, env: { SESSIONS_PER_OWNER: '3' } })
})
afterAll(() => stage.close())
beforeEach(() => stage.database.query('delete from oauth.session'))

async function signIn(signer = owner, more: { replacedSession?: string } = {}): Promise<string> {
  const { nonce } = granted(await stage.call(operations.siweNonce, { purpose: 'login' }))
  const signed = await signedMessage(signer, { purpose: 'login', nonce, baseUrl: BASE_URL, now: clock.now() })
  const { sessionToken } = granted(await stage.call(operations.createSession, { ...signed, ...more, requester }))
  clock.advance(MINUTE_MS)
  return sessionToken
}

/** Presents a credential, which records its use. @returns its caller; undefined if it has ended */
async function use(credential: string, kind: 'session' | 'bearer' = 'session'): Promise<Caller | undefined> {
  const answer = granted(await stage.call(operations.introspect, { credential, kind }))
  clock.advance(MINUTE_MS)
  return answer.active ? answer.caller : undefined
}

test('of more sessions than an owner may have, the least recently used ends with its tokens', async () => {
  const [first, second] = [await signIn(), await signIn()]
  const caller = (await use(second)) ?? { kind: 'anonymous' }
  const { access_token } = granted(await stage.call(operations.consoleToken, {}, { caller }))
  const third = await signIn()
  expect(await use(access_token, 'bearer')).toBeDefined()
  expect(await use(first)).toBeDefined()
  const other = await signIn(wallet(2))
  const fourth = await signIn()
  expect(await use(second)).toBeUndefined()
  expect(await use(access_token, 'bearer')).toBeUndefined()
  for (const kept of [first, third, fourth, other]) expect(await use(kept)).toBeDefined()
})

test('a browser that signs in again takes no other’s place', async () => {
  const [first, second, third] = [await signIn(), await signIn(), await signIn()]
  const again = await signIn(owner, { replacedSession: third })
  for (const kept of [first, second, again]) expect(await use(kept)).toBeDefined()
  expect(await use(third)).toBeUndefined()
})

test('of many that sign in at once, as many stay as an owner may have, and all that an earlier release left end', async () => {
  await stage.database.query(
    `insert into oauth.session (token_hash, id, owner, created_at, last_seen_at)
     select 'old-' || n, 'old-' || n, $1, $2, $2 from generate_series(1, 20) n`,
    [owner.address, new Date(clock.now())],
  )
  clock.advance(MINUTE_MS)
  await Promise.all(Array.from({ length: 10 }, () => signIn()))
  const left = await stage.database.query<{ id: string }>('select id from oauth.session where owner = $1', [
    owner.address,
  ])
  expect(left).toHaveLength(3)
  expect(left.filter(({ id }) => id.startsWith('old-'))).toEqual([])
})
