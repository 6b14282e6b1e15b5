import { x402Facilitator } from '@callboard/contract'
import type { FacilitatorHandler } from '../context.ts'

export const wellKnown: FacilitatorHandler<typeof x402Facilitator.wellKnown> = async (_input, { config }) => ({
  version: 1,
  resources: [new URL(DECODE_PATH, config.BASE_URL).href],
  instructions: 'POST a payment header or payload to have it decoded. Prices are in the 402 answer and in OpenAPI.',
})

const DECODE_PATH = x402Facilitator.decode.http?.path ?? '/'
