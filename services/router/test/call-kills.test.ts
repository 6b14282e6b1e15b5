import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { gateway } from '@callboard/gateway'
import { until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { describe, expect, inject, test } from 'vitest'
import { callFailpoints } from '../src/calls/failpoints.ts'
import { sold } from './models-file.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { SURFACES } from './surfaces.ts'

type Failpoint = (typeof callFailpoints.names)[number]

/** A gateway on its own NATS, whose Routers run in processes that can be killed. */
interface Killable {
  readonly stage: Stage
  /** Starts a Router, which kills itself at the failpoint, if one is given. */
  start(failpoint?: Failpoint): Promise<ChildProcess>
  close(): Promise<void>
}

async function openKillable(): Promise<Killable> {
  const folder = serverFolder('call-kills-')
  const nats: NatsServer = await startNatsServer({ storeDir: folder })
  const options = { models: [sold('small', 'delay-12')], modules: [gateway], env: { NATS_URL: nats.url } }
  const stage = await openStage(inject('postgresUrl'), options)
  const routers: ChildProcess[] = []
  return {
    stage,
    async start(failpoint) {
      const hook = failpoint ? ['--import', import.meta.resolve('@callboard/testkit/kill-at-failpoint')] : []
      const child = spawn(process.execPath, [...hook, join(inject('programs'), 'main.mjs'), '--no-demo'], {
        env: {
          ...{ ...process.env, ...stage.settings, NATS_URL: nats.url, TARGET: 'router', LOG_LEVEL: 'silent' },
          ...(failpoint ? { FAILPOINT: `router:${failpoint}` } : {}),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      routers.push(child)
      const answers = () => fetch(`${stage.base}/api/router/models`).then(({ ok }) => ok)
      await until('the Router answers', answers, 30_000)
      return child
    },
    async close() {
      for (const child of routers) child.kill('SIGKILL')
      await stage.close()
      await nats.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const ask = ({ stage }: Killable, key: MadeKey, stream: boolean) => {
  const { path, body } = SURFACES.chat
  return stage.post(key, path, { ...body('small-delay-12'), max_tokens: 12, stream })
}

/** What a client reads: the status, and whether the answer arrived to its end. */
async function read(answer: Response): Promise<{ status: number; whole: boolean }> {
  let text = ''
  try {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
  } catch {
    return { status: answer.status, whole: false }
  }
  return { status: answer.status, whole: text.startsWith('{') || text.includes('[DONE]') }
}

/** As if the time for which a process keeps its hold had passed. */
const expireAll = ({ stage }: Killable) =>
  stage.db
    .updateTable('call')
    .set({ expires_at: new Date(0) })
    .where('state', '=', 'held')
    .execute()

/** An owner's call, once it is settled. */
async function settledCall({ stage }: Killable, { owner }: MadeKey) {
  return until(
    'the call is settled',
    async () => (await stage.calls(owner)).find(({ state }) => state === 'settled'),
    30_000,
  )
}

/** Whether anything is charged at each failpoint: nothing before the call is settled. */
const CHARGED: Readonly<Record<Failpoint, boolean>> = {
  held: false,
  answered: false,
  begun: false,
  ended: false,
  charged: true,
}
const rows = callFailpoints.names.flatMap((failpoint) =>
  [true, false]
    .filter((stream) => stream || failpoint !== 'begun')
    .map((stream) => ({ failpoint, stream, charged: CHARGED[failpoint] })),
)

describe.skipIf(!inject('natsUrl'))('a Router killed during a call (SIGKILL)', { timeout: 120_000 }, () => {
  test.concurrent.each(rows)(
    'at “$failpoint”, stream $stream: the client is notified, the hold is released, and charged: $charged',
    async ({ failpoint, stream, charged }) => {
      const killable = await openKillable()
      try {
        const { stage } = killable
        const victim = await killable.start(failpoint)
        const ended = once(victim, 'exit')
        const key = await stage.fundedKey(PLENTY)
        const answer = await ask(killable, key, stream).then(read)
        expect(await ended).toEqual([null, 'SIGKILL'])
        if (answer.status === 200) expect(answer.whole).toBe(false)
        else expect([503, 504]).toContain(answer.status)

        await expireAll(killable)
        await killable.start()
        const call = await settledCall(killable, key)
        expect(call).toMatchObject(charged ? { ending: 'completed' } : { ending: 'lost', cost: 0n })
        expect(call.cost > 0n).toBe(charged)
        expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: call.cost, held: 0n })

        expect(await ask(killable, key, stream).then(read)).toEqual({ status: 200, whole: true })
        expect(await stage.faults()).toEqual([])
      } finally {
        await killable.close()
      }
    },
  )
})
