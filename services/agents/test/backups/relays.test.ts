import { agents, type Caller, type InputOf, type OutputOf, type Sealed } from '@callboard/contract'
import { granted, testDatabase, until } from '@callboard/testkit'
import { HOUR_MS, isRefusal, MINUTE_MS, type Refusal } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newOwner, openStage, type Stage } from '../stage.ts'
import { newRequester, someCode, someKey, someSealed } from './sealed.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** The origin of the test’s own calls. */
let here = newRequester()
beforeEach(() => {
  here = newRequester()
})

const LIFE_MS = 10 * MINUTE_MS
const NOT_FOUND = { refusal: 'not_found' }
const { createRelay, openRelay, sealRelay, readRelay } = agents

const create = (asked: Partial<InputOf<typeof createRelay>> = {}) =>
  stage.call(createRelay, {
    ...{ publicKey: someKey(), code: someCode(), device: 'laptop', purpose: 'backup-key', requester: here },
    ...asked,
  })
/** @returns the code of a new relay */
async function created(asked: Partial<InputOf<typeof createRelay>> = {}): Promise<string> {
  const code = someCode()
  granted(await create({ code, ...asked }))
  return code
}
const open = (code: string, caller: Caller, requester = here) => stage.call(openRelay, { code, requester }, { caller })
const seal = (code: string, caller: Caller, result: Sealed = someSealed(), requester = here) =>
  stage.call(sealRelay, { code, ...result, requester }, { caller })
const read = (code: string, requester = here) => stage.call(readRelay, { code, requester })
/** A relay that its owner has sealed. */
async function sealed(owner = newOwner(), result: Sealed = someSealed()): Promise<string> {
  const code = await created()
  granted(await open(code, owner))
  granted(await seal(code, owner, result))
  return code
}
const outcomes = (answers: readonly (object | Refusal)[]) =>
  answers.map((answer) => (isRefusal(answer) ? answer.refusal : 'granted')).sort()

describe('createRelay', () => {
  test('lasts ten minutes, and the code is stored nowhere', async () => {
    const code = someCode()
    const expiresAt = new Date(stage.clock.now() + LIFE_MS).toISOString()
    expect(await create({ code })).toEqual({ expiresAt })
    expect(JSON.stringify(await stage.rows('agents.relay'))).not.toContain(code)
  })

  test('409 relay_code_taken: while a relay with this code exists, whatever became of it', async () => {
    const taken = { refusal: 'relay_code_taken' }
    const code = await sealed()
    expect(await create({ code })).toEqual(taken)
    granted(await read(code))
    expect(await create({ code })).toEqual(taken)
    const expired = await created()
    stage.clock.advance(LIFE_MS)
    expect(await create({ code: expired })).toEqual(taken)
  })

  test('of 20 parallel ones with one code, exactly one is made', async () => {
    const code = someCode()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ code })))
    expect(outcomes(answers)).toEqual(['granted', ...Array(19).fill('relay_code_taken')])
  })
})

describe('openRelay', () => {
  test('shows what the program claims apart from what was observed; repeating it changes nothing', async () => {
    const owner = newOwner()
    const publicKey = someKey()
    const seen = { requester: here, createdAt: new Date(stage.clock.now()).toISOString() }
    const expiresAt = new Date(stage.clock.now() + LIFE_MS).toISOString()
    const code = await created({ publicKey, device: 'desktop', purpose: 'restore' })
    const shown = { publicKey, claimed: { device: 'desktop', purpose: 'restore' }, seen, expiresAt }
    for (let n = 0; n < 2; n += 1) expect(await open(code, owner)).toEqual({ ...shown, sealed: false })
    granted(await seal(code, owner))
    expect(await open(code, owner)).toEqual({ ...shown, sealed: true })
  })

  test('409 relay_of_another: of 20 owners at once, the first one has it and keeps it', async () => {
    const code = await created()
    const owners = Array.from({ length: 20 }, newOwner)
    const answers = await Promise.all(owners.map((owner) => open(code, owner)))
    expect(outcomes(answers)).toEqual(['granted', ...Array(19).fill('relay_of_another')])
    const first = owners[answers.findIndex((answer) => !isRefusal(answer))]
    for (const owner of owners) expect(isRefusal(await open(code, owner))).toBe(owner !== first)
  })
})

describe('sealRelay', () => {
  test('409 relay_unopened: before it is opened', async () => {
    const code = await created()
    expect(await seal(code, newOwner())).toEqual({ refusal: 'relay_unopened' })
    expect(await read(code)).toMatchObject({ status: 'pending', opened: false })
  })

  test('409 relay_of_another: by anyone but the owner who opened it', async () => {
    const [owner, other] = [newOwner(), newOwner()]
    const code = await created()
    granted(await open(code, owner))
    expect(await seal(code, other)).toEqual({ refusal: 'relay_of_another' })
    expect(await read(code)).toMatchObject({ status: 'pending', opened: true })
    granted(await seal(code, owner))
    expect(await seal(code, other)).toEqual({ refusal: 'relay_of_another' })
  })

  test('409 relay_sealed: a second time; of 20 at once, one counts and is what is read', async () => {
    const owner = newOwner()
    const code = await created()
    granted(await open(code, owner))
    const results = Array.from({ length: 20 }, () => someSealed())
    const answers = await Promise.all(results.map((result) => seal(code, owner, result)))
    expect(outcomes(answers)).toEqual(['granted', ...Array(19).fill('relay_sealed')])
    const result = results[answers.findIndex((answer) => !isRefusal(answer))]
    expect(await read(code)).toEqual({ status: 'sealed', result })
  })
})

describe('readRelay', () => {
  test('says that it is pending, and whether an owner has opened it, as often as it is asked', async () => {
    const expiresAt = new Date(stage.clock.now() + LIFE_MS).toISOString()
    const code = await created()
    for (let n = 0; n < 30; n += 1) expect(await read(code)).toEqual({ status: 'pending', opened: false, expiresAt })
    granted(await open(code, newOwner()))
    expect(await read(code)).toEqual({ status: 'pending', opened: true, expiresAt })
  })

  test('gives the result to exactly one of 20 readers, and keeps no byte of it', async () => {
    const result = someSealed(64 * 1024)
    const code = await sealed(newOwner(), result)
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(code, newRequester())))
    expect(outcomes(answers)).toEqual(['granted', ...Array(19).fill('not_found')])
    const given = answers.find((answer): answer is OutputOf<typeof readRelay> => !isRefusal(answer))
    expect(given).toEqual({ status: 'sealed', result })
    const kept = await stage.database.query('select 1 from agents.relay where read_at is not null and enc is not null')
    expect(kept).toEqual([])
    expect(await read(code)).toEqual(NOT_FOUND)
  })
})

describe('404 not_found', () => {
  test.each<[string, (owner: Caller & { kind: 'session' }) => Promise<string>]>([
    ['unknown', async () => someCode()],
    [
      'expired before it was opened',
      async () => {
        const code = await created()
        stage.clock.advance(LIFE_MS)
        return code
      },
    ],
    [
      'expired after it was sealed',
      async (owner) => {
        const code = await sealed(owner)
        stage.clock.advance(LIFE_MS)
        return code
      },
    ],
    [
      'read',
      async (owner) => {
        const code = await sealed(owner)
        granted(await read(code))
        return code
      },
    ],
  ])('a code that is %s, on every route and for everyone alike', async (_what, make) => {
    const owner = newOwner()
    const code = await make(owner)
    for (const caller of [owner, newOwner()]) {
      expect(await open(code, caller)).toEqual(NOT_FOUND)
      expect(await seal(code, caller)).toEqual(NOT_FOUND)
    }
    expect(await read(code)).toEqual(NOT_FOUND)
  })

  test('only from the last millisecond on', async () => {
    const owner = newOwner()
    const code = await sealed(owner)
    stage.clock.advance(LIFE_MS - 1)
    expect(await open(code, owner)).toMatchObject({ sealed: true })
    expect(await read(code)).toMatchObject({ status: 'sealed' })
  })
})

describe('429 rate_limited', () => {
  const LIMITED = { refusal: 'rate_limited' }

  test('after 20 wrong codes from an address within ten minutes, even for right ones, and nothing is read', async () => {
    const owner = newOwner()
    const code = await sealed(owner)
    for (let n = 0; n < 20; n += 1) expect(await read(someCode())).toEqual(NOT_FOUND)
    for (const tried of [someCode(), code]) {
      expect(await read(tried)).toMatchObject(LIMITED)
      expect(await open(tried, owner)).toMatchObject(LIMITED)
      expect(await seal(tried, owner)).toMatchObject(LIMITED)
    }
    const limited = await read(code)
    expect(isRefusal(limited) && limited.retryAfterSeconds).toBeGreaterThan(20)
    expect(await read(code, { ...here, address: `${here.address}234` })).toMatchObject(LIMITED)
    expect(await read(code, newRequester())).toMatchObject({ status: 'sealed' })
  })

  test('counts per owner, wherever they come from; a program without a session is not affected', async () => {
    const owner = newOwner()
    const code = await created()
    for (let n = 0; n < 20; n += 1) expect(await open(someCode(), owner, newRequester())).toEqual(NOT_FOUND)
    expect(await open(code, owner, newRequester())).toMatchObject(LIMITED)
    expect(await seal(code, owner, someSealed(), newRequester())).toMatchObject(LIMITED)
    expect(await read(code)).toMatchObject({ status: 'pending', opened: false })
    expect(isRefusal(await open(code, newOwner()))).toBe(false)
  })

  test('counts separately from the user codes of links', async () => {
    const owner = newOwner()
    const { user_code: userCode } = await stage.ask(2)
    for (let n = 0; n < 20; n += 1) await open(someCode(), owner)
    const shown = await stage.call(agents.readLinkRequest, { userCode, requester: here }, { caller: owner })
    expect(isRefusal(shown)).toBe(false)
  })

  test('of 40 wrong codes at once, only 20 are answered', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => read(someCode())))
    expect(answers.filter((answer) => isRefusal(answer) && answer.refusal === 'not_found')).toHaveLength(20)
  })
})

test('401 unauthorized: only a signed-in owner opens and seals', async () => {
  const { caller: agent } = await stage.link(2, newOwner())
  const code = await created()
  for (const caller of [agent, { kind: 'api_key', owner: agent.owner, keyId: 'key' }, { kind: 'anonymous' }] as const) {
    expect(await open(code, caller)).toEqual({ refusal: 'unauthorized' })
    expect(await seal(code, caller)).toEqual({ refusal: 'unauthorized' })
  }
  expect(await read(code)).toMatchObject({ status: 'pending', opened: false })
})

test('a relay is swept, and its code freed, an hour after its end and not before', async () => {
  const database = await testDatabase(inject('postgresUrl'))
  const first = await openStage({ database })
  const began = first.clock.now()
  const [old, newer] = [someCode(), someCode()]
  const on = (there: Stage, code: string) =>
    there.call(createRelay, { publicKey: someKey(), code, device: 'a', purpose: 'restore', requester: here })
  granted(await on(first, old))
  first.clock.advance(2)
  granted(await on(first, newer))
  await first.close()
  const later = await openStage({ database, startMs: began + LIFE_MS + HOUR_MS + 1 })
  await until('one relay is left', async () => (await later.rows('agents.relay')).length === 1)
  expect(await on(later, newer)).toEqual({ refusal: 'relay_code_taken' })
  expect(isRefusal(await on(later, old))).toBe(false)
  await later.close()
  await database.drop()
})
