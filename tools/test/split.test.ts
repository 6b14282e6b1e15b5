import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { conformance, type Devnet } from '@callboard/conformance'
import { freePort } from '@callboard/embedded'
import type {} from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sellSampleModels } from '../../demo/src/models-file.ts'
import { type SampleModels, startSampleModels } from '../../demo/src/sample-models.ts'
import { type Cluster, startCluster } from '../src/cluster/index.ts'

const DEMO = join(inject('programs'), 'demo.mjs')
const folder = serverFolder('callboard-split-')
const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))
/** Limits wide enough for a whole run from one address; the suite exhausts the burst of `recheck` on purpose. */
const wide = { burst: 1_000, perMinute: 6_000 }
const recheck = { burst: 20, perMinute: 6 }
let cluster: Cluster
let models: SampleModels | undefined

const devnet = () => JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet

describe.skipIf(!isHere)('two processes of every service over NATS, Redis and Postgres', () => {
  beforeAll(async () => {
    const RATE_LIMITS = JSON.stringify({ recheck, signIn: wide, nonce: wide, probe: wide, manage: wide, link: wide })
    await copyPrepared(inject('preparedData'), folder)
    cluster = await startCluster({
      folder,
      replicas: 2,
      main: join(inject('programs'), 'main.mjs'),
      env: { RATE_LIMITS },
    })
  }, 150_000)
  afterAll(async () => {
    await cluster?.stop()
    await models?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  test('the demonstration runs from sign-in to payout, as in a single process', async () => {
    const demo = spawn(process.execPath, [DEMO], {
      env: { ...process.env, CALLBOARD_DEVNET: join(folder, 'devnet.json'), DEMO_PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    demo.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    demo.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const [code] = await once(demo, 'exit')
    expect(code, output).toBe(0)
    expect(output).toContain('0.0095 USDC to the provider (95 %)')
    models = await startSampleModels()
    await sellSampleModels(join(folder, 'router.models.yaml'), models.url)
  }, 90_000)

  conformance(() => ({ baseUrl: cluster.baseUrl, devnet: devnet() }))
})
