import type { Conformance, InputOf, listings } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { ListingsCallingContext } from '../context.ts'
import { unusable } from '../domain/diagnosis.ts'
import { firstMixed, firstUnpayable, type Probed } from '../domain/evidence.ts'
import { operationKey } from '../domain/listing.ts'
import type { Terms } from '../domain/offer.ts'
import { probeAll } from './probe-all.ts'

type Declared = InputOf<typeof listings.publish>['operations'][number]

/** Normalizes the URLs of declared operations; refuses an operation that is given twice. */
export function onceEach(operations: readonly Declared[]) {
  const declared = operations.map((operation) => ({ ...operation, url: new URL(operation.url).href }))
  const keys = declared.map(operationKey)
  const repeated = keys.findIndex((key, at) => keys.indexOf(key) < at)
  if (repeated === -1) return declared
  return refuse('invalid_request', { field: `operations.${repeated}.url`, message: 'The operation is given twice.' })
}

/**
 * Probes declared operations; refuses one that cannot be paid in the listing's token, or can bypass its splitter. The
 * first such one ends it: nobody has shown yet that the origin is theirs, and each probe is a call or more to it.
 */
export async function probeDeclared(ctx: ListingsCallingContext, declared: readonly Declared[], terms: Terms) {
  const probed = await probeAll(ctx, declared, { decides: (one) => firstUnpayable([one], terms) !== undefined })
  if (isRefusal(probed)) return probed
  const unfit = firstMixed(probed, terms) ?? unusable(firstUnpayable(probed, terms), terms, ctx.config.BASE_URL)
  return unfit ?? probed
}

/** The conformance of declared operations' challenges, by `operationKey`. */
export const conformancesOf = (probed: readonly Probed[]): Record<string, Conformance> =>
  Object.fromEntries(
    probed.flatMap(({ operation, report: { result } }) =>
      result?.kind === 'x402' ? [[operationKey(operation), result.conformance]] : [],
    ),
  )
