import { type Caller, oauth as operations } from '@callboard/contract'
import { granted, signedMessage, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_URL, owner, requester, Stage } from './stage.ts'

type Kind = 'bearer' | 'session'
type Asked = readonly [credential: string, kind: Kind]

let stage: Stage

beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage?.close())

const introspect = async ([credential, kind]: Asked) =>
  granted(await stage.call(operations.introspect, { credential, kind }))
const ownerOf = (answer: Awaited<ReturnType<typeof introspect>>) =>
  answer.active && answer.caller.kind !== 'anonymous' && answer.caller.owner
const asOwner = () => ({ caller: stage.signedIn satisfies Caller })

async function newKey(label: string) {
  return granted(await stage.call(operations.createKey, { label }, asOwner()))
}

async function newToken(): Promise<string> {
  return granted(await stage.token(await stage.approved(await stage.register()))).access_token
}

/** Signs another owner in. */
async function newSession(account: number): Promise<string> {
  const { nonce } = granted(await stage.call(operations.siweNonce, { purpose: 'login' }))
  const message = await signedMessage(wallet(account), {
    ...{ purpose: 'login', nonce, baseUrl: BASE_URL, now: stage.clock.now() },
  })
  return granted(await stage.call(operations.createSession, { ...message, requester })).sessionToken
}

describe('credentials that are asked about at the same time', () => {
  test('are each answered for themselves, whatever their kind, and however often they are asked about', async () => {
    const [first, second, ended] = [await newKey('first'), await newKey('second'), await newKey('ended')]
    await stage.call(operations.deleteKey, { id: ended.id }, asOwner())
    const [token, other] = [await newToken(), await newToken()]
    const sessions = [await newSession(2), await newSession(3)]
    const asked: Asked[] = [
      ...[first.key, token, 'cb_unknown', second.key, ended.key, other, token].map((one) => [one, 'bearer'] as const),
      ...[...sessions, first.key, 'unknown', ...sessions].map((one) => [one, 'session'] as const),
    ]
    const together = await Promise.all(asked.map(introspect))
    const alone: typeof together = []
    for (const one of asked) alone.push(await introspect(one))
    expect(together).toEqual(alone)
    expect(together.map(ownerOf)).toEqual([
      ...[owner, owner, false, owner, false, owner, owner],
      ...[wallet(2).address, wallet(3).address, false, false, wallet(2).address, wallet(3).address],
    ])
  })

  test('an ended key is refused from the moment its end is answered, among any number of others', async () => {
    const [lasting, ending] = [await newKey('lasting'), await newKey('ending')]
    let isOver = false
    const asking = Array.from({ length: 20 }, async () => {
      while (!isOver) expect(await introspect([lasting.key, 'bearer'])).toMatchObject({ active: true })
    })
    expect(await introspect([ending.key, 'bearer'])).toMatchObject({ active: true })
    await stage.call(operations.deleteKey, { id: ending.id }, asOwner())
    const after = await Promise.all(Array.from({ length: 20 }, () => introspect([ending.key, 'bearer'])))
    isOver = true
    await Promise.all(asking)
    expect(after).toEqual(Array(20).fill({ active: false }))
  })
})
