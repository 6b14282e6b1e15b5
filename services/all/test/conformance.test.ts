import { conformance } from '@callboard/conformance'
import { afterAll, beforeAll } from 'vitest'
import { Instance } from './instance.ts'

const instance = new Instance()

/** Room for a whole run from one address; `recheck` keeps its rate, which the suite exhausts on purpose. */
const wide = { burst: 1_000, perMinute: 6_000 }
const RATE_LIMITS = JSON.stringify({ signIn: wide, nonce: wide, probe: wide, manage: wide, link: wide, relay: wide })

beforeAll(() => instance.start(['--no-demo'], { RATE_LIMITS }), 120_000)
afterAll(() => instance.dispose())

conformance(() => ({ baseUrl: instance.baseUrl, devnet: instance.devnet }))
