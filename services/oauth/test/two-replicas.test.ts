import { oauth as operations } from '@callboard/contract'
import { granted, startTestServices, type TestServices, UNREACHABLE_DEVNET } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauth } from '../src/index.ts'
import { BASE_URL, newProof, Stage } from './stage.ts'

const TIMES = 20
let stage: Stage
let second: TestServices

beforeAll(async () => {
  stage = await Stage.open()
  const { database, clock } = stage
  second = await startTestServices([oauth], {
    databaseUrl: database.url,
    clock,
    env: { BASE_URL, DEVNET: UNREACHABLE_DEVNET },
  })
})
afterAll(async () => {
  await second?.stop()
  await stage?.close()
})

type Sent = Parameters<Stage['token']>[0]

/** Redeems the same twenty times at once, at both replicas in turn. */
const redeem = (sent: Sent) =>
  Promise.all(Array.from({ length: TIMES }, (_, n) => stage.token(sent, n % 2 === 0 ? stage.call : second.call)))
const approved = async () => stage.approved(await stage.register())

describe('an authorization code at two replicas, twenty times at once', () => {
  test('gives tokens once; those end because the code was presented again with its proof', async () => {
    const code = await approved()
    const answers = await redeem(code)
    const given = answers.filter((answer) => !isRefusal(answer))
    expect(given).toHaveLength(1)
    expect(answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))).toEqual(
      Array(TIMES - 1).fill('invalid_grant'),
    )
    const { access_token: token } = granted(given[0] as (typeof answers)[number])
    for (const call of [stage.call, second.call]) {
      expect(await call(operations.introspect, { credential: token, kind: 'bearer' })).toEqual({ active: false })
    }
  })

  test('without its proof changes nothing: its tokens continue, or it can still be redeemed', async () => {
    for (const first of [true, false]) {
      const code = await approved()
      const tokens = first ? granted(await stage.token(code)) : undefined
      const stolen = await redeem({ ...code, code_verifier: newProof().verifier })
      expect(stolen.every((answer) => isRefusal(answer) && answer.refusal === 'invalid_grant')).toBe(true)
      const { access_token: token } = tokens ?? granted(await stage.token(code))
      expect(await stage.callerOf(token)).toMatchObject({ kind: 'client' })
    }
  })
})
