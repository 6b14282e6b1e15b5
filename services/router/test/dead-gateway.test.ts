import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sold } from './models-file.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'
import { SURFACES } from './surfaces.ts'

const COMPLETIONS = ['chat', 'responses', 'messages'] as const

let folder: string
let nats: NatsServer
let stage: Stage
let gateway: ChildProcess
let base: string

/** Starts a gateway in its own process, on the bus of the stage's Router. */
async function startGateway(): Promise<void> {
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  const env = { TARGET: 'gateway', NATS_URL: nats.url, PORT: String(port), BASE_URL: base, LOG_LEVEL: 'silent' }
  gateway = spawn(process.execPath, [join(inject('programs'), 'main.mjs'), '--no-demo'], {
    env: { ...process.env, ...env, MIGRATIONS: 'wait' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await until(
    'the gateway answers',
    () =>
      fetch(`${base}/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    20_000,
  )
}

async function kill(): Promise<void> {
  const gone = once(gateway, 'exit')
  gateway.kill('SIGKILL')
  await gone
}

describe.skipIf(!inject('natsUrl'))('a gateway killed while a model answers: the call costs nothing', () => {
  beforeAll(async () => {
    folder = serverFolder('dead-gateway-')
    nats = await startNatsServer({ storeDir: folder })
    const models = [sold('small', 'delay-12'), sold('small', 'slow-first:delay-1000')]
    stage = await openStage(inject('postgresUrl'), { models, env: { NATS_URL: nats.url } })
  })
  afterAll(async () => {
    gateway?.kill('SIGKILL')
    await stage?.close()
    await nats?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const rows = COMPLETIONS.flatMap((surface) => [true, false].map((stream) => ({ surface, stream, hasHead: stream })))
  // A stream of which the client has nothing yet: no lost frame reveals the death, as none was taken.
  rows.push({ surface: 'chat', stream: true, hasHead: false })
  test.each(rows)('$surface, stream $stream, head taken $hasHead', async ({ surface, stream, hasHead }) => {
    await startGateway()
    const key = await stage.fundedKey(PLENTY)
    const { path, body } = SURFACES[surface]
    const before = stage.upstream.calls.length
    // The answer is too short to fill any window: only the delivery check can reveal the death.
    const bound = surface === 'responses' ? { max_output_tokens: 12 } : { max_tokens: 12 }
    const model = hasHead ? 'small-delay-12' : 'small-slow-first:delay-1000'
    const answer = fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
      body: JSON.stringify({ ...body(model), ...bound, stream }),
    }).then(async (head) => head.body?.getReader().read())
    if (hasHead) expect((await answer)?.done).toBe(false)
    else answer.catch(() => {})
    const upstreamCall = await until('the upstream is asked', () => stage.upstream.calls[before])
    await kill()
    const call = await until('the call is settled', async () =>
      (await stage.calls(key.owner)).find(({ state }) => state === 'settled'),
    )
    expect(call).toMatchObject({ ending: 'broken', cost: 0n })
    // The delivery check revealed it: the upstream had answered by then.
    expect(upstreamCall.aborted).toBe(false)
    expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: 0n, held: 0n })
    expect(await stage.faults()).toEqual([])
  })

  test('a gateway that stays alive under the same conditions: the call is completed and charged', async () => {
    await startGateway()
    const key = await stage.fundedKey(PLENTY)
    const { path, body } = SURFACES.chat
    for (const stream of [true, false]) {
      const answer = await fetch(base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
        body: JSON.stringify({ ...body('small-delay-12'), stream }),
      })
      expect(await answer.text()).toContain('usage')
    }
    const calls = await stage.calls(key.owner)
    expect(calls.map(({ ending }) => ending)).toEqual(['completed', 'completed'])
    await kill()
  })
})
