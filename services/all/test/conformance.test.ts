import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { conformance } from '@callboard/conformance'
import { serverFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll } from 'vitest'
import { readDevnet } from '../../../demo/src/devnet.ts'
import { mirrorSecondSource } from '../../../demo/src/mirroring.ts'
import { sellSampleModels } from '../../../demo/src/models-file.ts'
import { type SampleModels, startSampleModels } from '../../../demo/src/sample-models.ts'
import { Instance } from './instance.ts'

const instance = new Instance()

/** Limits wide enough for a whole run from one address; the suite exhausts the burst of `recheck` on purpose. */
const wide = { burst: 1_000, perMinute: 6_000 }
const recheck = { burst: 20, perMinute: 6 }
const classes = { signIn: wide, nonce: wide, probe: wide, manage: wide, link: wide, relay: wide }
const RATE_LIMITS = JSON.stringify({ ...classes, recheck })

const folder = serverFolder('callboard-models-')
let models: SampleModels
/** Ends the second seller, whose source is mirrored, so that its payee can claim what is mirrored. */
let endSeller: (() => Promise<void>) | undefined

beforeAll(async () => {
  models = await startSampleModels()
  const ROUTER_MODELS = join(folder, 'router.models.yaml')
  await sellSampleModels(ROUTER_MODELS, models.url)
  await instance.start(['--no-demo'], { RATE_LIMITS, ROUTER_MODELS })
  const devnet = readDevnet({ CALLBOARD_DATA: instance.folder })
  endSeller = await mirrorSecondSource(devnet, join(instance.folder, 'mirror.sources.yaml'))
}, 120_000)
afterAll(async () => {
  await instance.dispose()
  await Promise.all([models.close(), endSeller?.()])
  rmSync(folder, { recursive: true, force: true })
})

conformance(() => ({ baseUrl: instance.baseUrl, devnet: instance.devnet }))
