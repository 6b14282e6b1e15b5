import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { serverFolder } from '@callboard/testkit/folder'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { until } from '@callboard/testkit/until'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ledgerFaults } from '../../services/router/src/store/ledger.repository.ts'
import { creditedKey, type WalkKey } from '../src/money/accounts.ts'
import { PACED, SOUND } from '../src/money/sold.ts'
import { type MoneyWorld, openMoneyWorld, rowsOf } from '../src/money/world.ts'

const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))
/** Enough that each replica has some of them. */
const STREAMS = 12
const NEW_CALLS = 20
const MESSAGES = [{ role: 'user', content: 'What does a listing need before an agent finds it?' }]
let folder: string
let world: MoneyWorld
let key: WalkKey

async function post(body: object): Promise<Response> {
  return fetch(`${world.cluster.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await key.headers()) },
    body: JSON.stringify({ ...body, messages: MESSAGES }),
  })
}

/** Starts streams. @returns the last word of each, once it has arrived */
async function begun(): Promise<Promise<string | undefined>[]> {
  const answers = await Promise.all(Array.from({ length: STREAMS }, () => post({ model: PACED, stream: true })))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  return answers.map(async (answer) => (await answer.text()).trim().split('\n').at(-1))
}

/** The answers to calls that arrive while a process ends. */
async function newCalls(): Promise<number[]> {
  const statuses: number[] = []
  for (let call = 0; call < NEW_CALLS; call += 1) {
    const answer = await post({ model: SOUND, max_tokens: 10 })
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  return statuses
}

/** Calls that ended other than completed. */
const spoiled = () => rowsOf(world, `select ending from router.call where ending is distinct from 'completed'`)

async function isClosed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const closed = await once(socket, 'connect').then(
    () => false,
    () => true,
  )
  socket.destroy()
  return closed
}

describe.skipIf(!isHere)('a rolling restart under streams', () => {
  beforeAll(async () => {
    folder = serverFolder('callboard-rolling-')
    await copyPrepared(inject('preparedData'), folder)
    const main = join(inject('programs'), 'main.mjs')
    world = await openMoneyWorld(folder, { main, gateways: 2, routers: 2, withOwners: false, log: () => {} })
    key = await creditedKey(world, 1_000_000_000n)
  }, 120_000)
  afterAll(async () => {
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  test.each(['router', 'gateway'])(
    '%s: streams under way end whole, new calls go to the other replica, and the process exits with 0',
    async (target) => {
      const [member] = world.cluster.of(target)
      if (!member) throw new Error(`There is no ${target}`)
      const streams = await begun()
      const ended = member.end('SIGTERM')
      expect(await newCalls()).toEqual(Array.from({ length: NEW_CALLS }, () => 200))
      expect(await Promise.all(streams)).toEqual(streams.map(() => 'data: [DONE]'))
      expect(await ended).toBe(0)
      await member.start()
      expect(await spoiled()).toEqual([])
      expect(await ledgerFaults(world.books.db as never)).toEqual([])
    },
    60_000,
  )

  test('a stopping gateway accepts no new connections while its streams run', async () => {
    const [member] = world.cluster.of('gateway')
    if (!member) throw new Error('There is no gateway')
    const streams = await begun()
    const ended = member.end('SIGTERM')
    await until('its door is closed', () => isClosed(member.port))
    expect(member.running).toBe(true)
    expect(await Promise.all(streams)).toEqual(streams.map(() => 'data: [DONE]'))
    expect(await ended).toBe(0)
    await member.start()
  }, 60_000)
})
