import { z } from 'zod'
import { operation } from '../../operation.ts'

const CACHE_SUPPLY = 'public, max-age=60'
/** A decimal number as text without quotes. */
const WholeUnits = z.string().regex(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)

export const supplyTotal = operation({
  id: 'catalog.supplyTotal',
  summary: 'The token’s total supply in whole units, as a plain number',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/supply/total',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_SUPPLY,
    mediaType: 'text/plain',
    text: true,
  },
  input: z.strictObject({}),
  output: WholeUnits,
  errors: [],
})

/** Tokens locked as stake do not circulate. */
export const supplyCirculating = operation({
  id: 'catalog.supplyCirculating',
  summary: 'The token’s supply that is not staked, in whole units, as a plain number',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/supply/circulating',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_SUPPLY,
    mediaType: 'text/plain',
    text: true,
  },
  input: z.strictObject({}),
  output: WholeUnits,
  errors: [],
})
