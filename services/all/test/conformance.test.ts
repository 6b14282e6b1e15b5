import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { conformance } from '@callboard/conformance'
import { serverFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll } from 'vitest'
import { sellSampleModels } from '../../../demo/src/models-file.ts'
import { type SampleModels, startSampleModels } from '../../../demo/src/sample-models.ts'
import { Instance } from './instance.ts'

const instance = new Instance()

/** Room for a whole run from one address; `recheck` keeps its rate, whose burst the suite exhausts on purpose. */
const wide = { burst: 1_000, perMinute: 6_000 }
const recheck = { burst: 20, perMinute: 6 }
const classes = { signIn: wide, nonce: wide, probe: wide, manage: wide, link: wide, relay: wide }
const RATE_LIMITS = JSON.stringify({ ...classes, recheck })

const folder = serverFolder('callboard-models-')
let models: SampleModels

beforeAll(async () => {
  models = await startSampleModels()
  const ROUTER_MODELS = join(folder, 'router.models.yaml')
  await sellSampleModels(ROUTER_MODELS, models.url)
  await instance.start(['--no-demo'], { RATE_LIMITS, ROUTER_MODELS })
}, 120_000)
afterAll(async () => {
  await instance.dispose()
  await models.close()
  rmSync(folder, { recursive: true, force: true })
})

conformance(() => ({ baseUrl: instance.baseUrl, devnet: instance.devnet }))
