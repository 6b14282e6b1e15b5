import { x402Facilitator as operations, paymentSettled } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { Config } from './config.ts'
import { keepLanes } from './jobs/keep-lanes.ts'
import { settleOpen } from './jobs/settle-open.ts'
import { watchBlocks } from './jobs/watch-blocks.ts'
import type { Parts } from './kit.ts'
import { open } from './open.ts'
import { decode } from './operations/decode.ts'
import { discoveryResources } from './operations/discovery-resources.ts'
import { offer } from './operations/offer.ts'
import { openapi } from './operations/openapi.ts'
import { settle } from './operations/settle.ts'
import { status } from './operations/status.ts'
import { supported } from './operations/supported.ts'
import { verify } from './operations/verify.ts'
import { wellKnown } from './operations/well-known.ts'
import * as payments from './store/migrations/0001-payments.ts'
import * as batches from './store/migrations/0002-batches.ts'
import type { FacilitatorTables } from './store/tables.ts'

/** Verifies payments and settles each one once. The only room that holds chain signing keys. */
export const x402Facilitator = service<typeof Config, FacilitatorTables, Parts, typeof operations>({
  name: 'x402-facilitator',
  config: Config,
  migrations: { '0001-payments': payments, '0002-batches': batches },
  open,
  operations,
  serves: { supported, verify, settle, discoveryResources, decode, offer, status, openapi, wellKnown },
  publishes: [paymentSettled],
  jobs: [settleOpen, watchBlocks, keepLanes],
})
