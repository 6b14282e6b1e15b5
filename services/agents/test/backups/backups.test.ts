import { createHash } from 'node:crypto'
import { agents, type BackupEnvelope, type Caller, MAX_BACKUPS } from '@callboard/contract'
import { openDatabase } from '@callboard/store'
import { granted, until } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NEW_BACKUPS } from '../../src/operations/store-backup.ts'
import { beginEnd } from '../../src/store/link.repository.ts'
import { lockOwner } from '../../src/store/owner.repository.ts'
import type { AgentsTables } from '../../src/store/tables.ts'
import { newOwner, openStage, requesterAt, type Stage } from '../stage.ts'
import { anEnvelope } from './sealed.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const AGENT = 2
const DEVICE = 'laptop'
const { listBackups, readBackup, deleteBackup, storeBackup } = agents

type Preconditions = { ifMatch?: string; ifNoneMatch?: '*' }
const store = (caller: Caller, envelope: BackupEnvelope, preconditions: Preconditions = {}) =>
  stage.call(storeBackup, { ...envelope, ...preconditions }, { caller })
const list = async (caller: Caller) => granted(await stage.call(listBackups, {}, { caller })).backups
const read = (caller: Caller, device = DEVICE) => stage.call(readBackup, { device }, { caller })
const remove = (caller: Caller, device = DEVICE) => stage.call(deleteBackup, { device }, { caller })
const linked = async (owner: Caller & { kind: 'session' }, device = DEVICE, agent = AGENT) =>
  (await stage.link(agent, owner, { device })).caller

describe('storeBackup', () => {
  test('stores the envelope, for the owner to read, and returns the SHA-256 of the ciphertext', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    const envelope = anEnvelope(1_000)
    const sha256 = createHash('sha256').update(Buffer.from(envelope.ciphertext, 'base64url')).digest('base64url')
    const metadata = {
      ...{ device: DEVICE, version: 1, recipient: envelope.recipient, bytes: 1_000, sha256 },
      ...{ storedBy: agent.clientId, storedAt: new Date(stage.clock.now()).toISOString() },
    }
    const { backup, etag } = granted(await store(agent, envelope))
    expect(backup).toEqual(metadata)
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect(await list(owner)).toEqual([metadata])
    expect(await read(owner)).toEqual({ ...envelope, etag })
  })

  test('has another ETag when any part of the envelope differs', async () => {
    const agent = await linked(newOwner())
    const envelope = anEnvelope()
    const { enc, recipient } = anEnvelope()
    const tags = []
    for (const other of [envelope, { ...envelope, enc }, { ...envelope, recipient }, anEnvelope(), envelope]) {
      tags.push(granted(await store(agent, other)).etag)
    }
    expect(new Set(tags).size).toBe(4)
    expect(tags.at(-1)).toBe(tags[0])
  })

  test('replaces the previous one, from any agent of the device', async () => {
    const owner = newOwner()
    const [one, two] = [await linked(owner), await linked(owner, DEVICE, 3)]
    await store(one, anEnvelope())
    const envelope = anEnvelope()
    await store(two, envelope)
    expect(await list(owner)).toMatchObject([{ storedBy: two.clientId, recipient: envelope.recipient }])
    expect(await read(owner)).toMatchObject(envelope)
  })

  test('401 unauthorized: once the link has ended, and for everyone else', async () => {
    const owner = newOwner()
    const ended = await linked(owner)
    await stage.call(agents.unlinkSelf, {}, { caller: ended })
    const others: Caller[] = [owner, { kind: 'api_key', owner: owner.owner, keyId: 'key' }, { kind: 'anonymous' }]
    for (const caller of [ended, ...others]) {
      expect(await store(caller, anEnvelope())).toEqual({ refusal: 'unauthorized' })
    }
    expect(await list(owner)).toEqual([])
  })

  test('401 unauthorized: an agent whose link ends while its store waits for that', async () => {
    const owner = newOwner()
    const [agent, other] = [await linked(owner), await linked(owner, DEVICE, 3)]
    const envelope = anEnvelope()
    await store(other, envelope)
    const { db, close } = openDatabase<AgentsTables>({
      ...{ url: stage.database.url, schema: 'agents', maxConnections: 1 },
      onError: () => {},
    })
    const stored = await db.transaction().execute(async (tx) => {
      await lockOwner(tx, owner.owner)
      const storing = store(agent, anEnvelope())
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%owner%'`
      await until('the store waits', async () => (await stage.database.query(waiting)).length > 0)
      await beginEnd(tx, { owner: owner.owner, client_id: agent.clientId }, 'owner', new Date(stage.clock.now()))
      return { storing }
    })
    await close()
    expect(await stored.storing).toEqual({ refusal: 'unauthorized' })
    expect(await read(owner)).toMatchObject(envelope)
  })

  test('409 no_device: an agent that was linked without naming one', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner)
    expect(await store(caller, anEnvelope())).toEqual({ refusal: 'no_device' })
    expect(await list(owner)).toEqual([])
  })
})

describe('412 precondition_failed', () => {
  test('If-Match: stored only in place of the backup with that tag', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    const missed = { refusal: 'precondition_failed' }
    for (const ifMatch of ['*', '"tag"']) expect(await store(agent, anEnvelope(), { ifMatch })).toEqual(missed)
    expect(await list(owner)).toEqual([])
    const first = anEnvelope()
    const { etag } = granted(await store(agent, first))
    for (const ifMatch of ['"tag"', `W/${etag}`, etag.replaceAll('"', '')]) {
      expect(await store(agent, anEnvelope(), { ifMatch })).toEqual(missed)
    }
    expect(await read(owner)).toEqual({ ...first, etag })
    const second = anEnvelope()
    expect(isRefusal(await store(agent, second, { ifMatch: `"tag", ${etag}` }))).toBe(false)
    expect(await store(agent, anEnvelope(), { ifMatch: etag })).toEqual(missed)
    expect(await read(owner)).toMatchObject(second)
    expect(isRefusal(await store(agent, anEnvelope(), { ifMatch: '*' }))).toBe(false)
  })

  test('If-None-Match: * stores only when there is no backup', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    const first = anEnvelope()
    expect(isRefusal(await store(agent, first, { ifNoneMatch: '*' }))).toBe(false)
    expect(await store(agent, anEnvelope(), { ifNoneMatch: '*' })).toEqual({ refusal: 'precondition_failed' })
    expect(await read(owner)).toMatchObject(first)
    await remove(owner)
    expect(isRefusal(await store(agent, anEnvelope(), { ifNoneMatch: '*' }))).toBe(false)
  })

  test('of 20 parallel stores with one precondition, exactly one succeeds, and its envelope is the one stored', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    const race = async (preconditions: Preconditions) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => store(agent, anEnvelope(), preconditions)))
      const [winner, ...more] = answers.filter((answer) => !isRefusal(answer))
      expect(more).toEqual([])
      expect(answers.filter((answer) => isRefusal(answer) && answer.refusal === 'precondition_failed')).toHaveLength(19)
      const { etag } = granted(winner ?? expect.fail('no write was granted'))
      expect(await read(owner)).toMatchObject({ etag })
      return etag
    }
    const ifMatch = await race({ ifNoneMatch: '*' })
    await race({ ifMatch })
  })
})

test('429 rate_limited: one network adds no more backups in a day, whoever owns them, but may replace them', async () => {
  const context = stage.services.contexts.get('agents')
  await context?.counters.take('new-backups:203.0.113.0/24', NEW_BACKUPS, NEW_BACKUPS.burst - 1)
  const from = (caller: Caller, address: string) =>
    stage.call(storeBackup, { ...anEnvelope(), requester: requesterAt(address) }, { caller })
  const [one, two] = [await linked(newOwner()), await linked(newOwner())]
  granted(await from(one, '203.0.113.7'))
  expect(await from(two, '203.0.113.8')).toMatchObject({ refusal: 'rate_limited' })
  granted(await from(one, '203.0.113.8'))
  granted(await from(two, '198.51.100.7'))
})

describe('409 backup_limit', () => {
  /** Stores backups of devices that no longer exist. */
  const keep = (owner: string, count: number, by: string) =>
    stage.database.query(
      `insert into agents.backup select $1, 'old-' || n, 1, 'r', 'e', 'c', 's', $3, now() from generate_series(1, $2) n`,
      [owner, count, by],
    )

  test('refuses one device more than the limit, while a device with a backup may replace it', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    await store(agent, anEnvelope())
    await keep(owner.owner, MAX_BACKUPS - 1, agent.clientId)
    const other = await linked(owner, 'desktop', 3)
    expect(await store(other, anEnvelope())).toEqual({ refusal: 'backup_limit' })
    expect(isRefusal(await store(agent, anEnvelope()))).toBe(false)
    expect(await list(owner)).toHaveLength(MAX_BACKUPS)
    await remove(owner, 'old-1')
    expect(isRefusal(await store(other, anEnvelope()))).toBe(false)
  })

  test('holds for 20 devices at once', async () => {
    const owner = newOwner()
    const callers: Caller[] = []
    for (let n = 0; n < 20; n += 1) callers.push(await linked(owner, `device-${n}`, 30 + n))
    await keep(owner.owner, MAX_BACKUPS - 7, 'agent')
    const answers = await Promise.all(callers.map((caller) => store(caller, anEnvelope())))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(7)
    expect(answers.filter((answer) => isRefusal(answer) && answer.refusal === 'backup_limit')).toHaveLength(13)
    const stored = await stage.database.query('select 1 from agents.backup where owner = $1', [owner.owner])
    expect(stored).toHaveLength(MAX_BACKUPS)
  })
})

describe('the owner', () => {
  test('keeps a backup when its agent is unlinked: that is its purpose', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    const envelope = anEnvelope()
    await store(agent, envelope)
    await stage.call(agents.unlink, { clientId: agent.clientId }, { caller: owner })
    expect(await read(owner)).toMatchObject(envelope)
    expect(await list(owner)).toMatchObject([{ device: DEVICE, storedBy: agent.clientId }])
  })

  test('sees their own backups by device, and no other owner’s', async () => {
    const [owner, other] = [newOwner(), newOwner()]
    await store(await linked(owner, 'b'), anEnvelope())
    await store(await linked(owner, 'a', 3), anEnvelope())
    const theirs = anEnvelope()
    await store(await linked(other, 'b', 4), theirs)
    expect((await list(owner)).map(({ device }) => device)).toEqual(['a', 'b'])
    expect(await read(other, 'a')).toEqual({ refusal: 'not_found' })
    await remove(owner, 'b')
    expect(await read(other, 'b')).toMatchObject(theirs)
  })

  test('404 not_found: a device without a backup; deleting it is not an error, and neither is repeating that', async () => {
    const owner = newOwner()
    expect(await read(owner)).toEqual({ refusal: 'not_found' })
    await store(await linked(owner), anEnvelope())
    for (let n = 0; n < 2; n += 1) expect(await remove(owner)).toEqual({})
    expect(await read(owner)).toEqual({ refusal: 'not_found' })
    expect(await list(owner)).toEqual([])
  })

  test('401 unauthorized: the owner’s routes serve no agent, API key or third party', async () => {
    const owner = newOwner()
    const agent = await linked(owner)
    await store(agent, anEnvelope())
    const callers: Caller[] = [agent, { kind: 'api_key', owner: owner.owner, keyId: 'key' }, { kind: 'anonymous' }]
    for (const caller of callers) {
      const answers = [await stage.call(listBackups, {}, { caller }), await read(caller), await remove(caller)]
      expect(answers).toEqual(Array(3).fill({ refusal: 'unauthorized' }))
    }
    expect(await list(owner)).toHaveLength(1)
  })
})
