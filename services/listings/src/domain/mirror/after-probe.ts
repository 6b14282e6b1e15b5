import { acceptsUnread, type DataOf, FINDINGS, type probeCompleted, type ShownOffer } from '@callboard/contract'
import { inOrderOfChoice } from '@callboard/x402'
import type { Mirrored, MirrorFact, PaymentTerm } from './mirrored.ts'

/** The most ways to pay that are kept of one resource. */
const MAX_ACCEPTS = 16
/** The only scheme that can be paid here. */
const PAYABLE_SCHEME = 'exact'

type Probe = DataOf<typeof probeCompleted>

/** The ways to pay in a reading that are supported here. */
export const payableIn = (accepts: readonly ShownOffer[]): ShownOffer[] =>
  accepts.filter(({ payable, scheme }) => payable && scheme === PAYABLE_SCHEME)

/** The payees and methods that a reading allows, each once. */
export function termsIn(accepts: readonly ShownOffer[]): PaymentTerm[] {
  const terms = payableIn(accepts).map(({ scheme, network, asset, payTo }) => ({ scheme, network, asset, payTo }))
  return [...new Map(terms.map((term) => [termKey(term), term])).values()]
}

const termKey = ({ scheme, network, asset, payTo }: PaymentTerm): string =>
  `${scheme} ${network} ${asset} ${payTo}`.toLowerCase()

/** The terms of a reading that are new; terms that have disappeared are not a change. */
export function newTerms(approved: readonly PaymentTerm[], terms: readonly PaymentTerm[]): PaymentTerm[] {
  const known = new Set(approved.map(termKey))
  return terms.filter((term) => !known.has(termKey(term)))
}

/**
 * A mirrored row after our probe of it. Only reading a way to pay makes it payable, under the terms of the first
 * reading; other terms suspend it until the operator has checked them. A probe that learnt nothing leaves a payable row
 * as it is: it grows stale with time. A probe older than the last one changes nothing.
 */
export function afterProbe(row: Mirrored, probe: Probe): Mirrored {
  const checkedAt = Date.parse(probe.checkedAt)
  if (row.fact && checkedAt < row.fact.checkedAt) return row
  const accepts = probe.accepts ?? (probe.state === 'mpp' ? [] : acceptsUnread(probe.state))
  const fact = factOf(row.fact, probe, accepts, checkedAt)
  const moved = { ...row, fact }
  if (row.state === 'suspended') return moved
  if (accepts === null && row.state !== 'unprobed') return moved
  const terms = termsIn(fact.accepts)
  if (accepts === null || terms.length === 0) return inState(moved, 'unpayable', inWords(probe), checkedAt)
  const [changed] = row.terms ? newTerms(row.terms, terms) : []
  if (changed) return inState(moved, 'suspended', changeInWords(changed, row.terms ?? []), checkedAt)
  return { ...inState(moved, 'payable', null, checkedAt), terms: row.terms ?? terms, okAt: checkedAt }
}

function factOf(
  before: MirrorFact | null,
  probe: Probe,
  accepts: readonly ShownOffer[] | null,
  checkedAt: number,
): MirrorFact {
  const { state, finding, conformance, liveness } = probe
  const described = probe.described ?? before?.described
  // Without `extra` the order is all that tells which of them a stock client takes.
  const kept = accepts
    ? inOrderOfChoice(accepts)
        .slice(0, MAX_ACCEPTS)
        .map(({ extra: _, ...offer }) => offer)
    : undefined
  return {
    kind: kindOf(probe, kept) ?? before?.kind ?? 'plain',
    state,
    ...(finding ? { finding } : {}),
    accepts: kept ?? before?.accepts ?? [],
    conformance: conformance ?? before?.conformance ?? null,
    ...(described ? { described } : {}),
    liveness,
    checkedAt,
  }
}

/** Undefined if nothing was learnt about it. */
function kindOf({ state, finding }: Probe, accepts: MirrorFact['accepts'] | undefined): MirrorFact['kind'] | undefined {
  if (state === 'mpp') return 'mpp'
  if (finding === 'mcp_tools_sold') return 'mcp'
  return accepts && (accepts.length > 0 ? 'x402' : 'plain')
}

const inState = (row: Mirrored, state: Mirrored['state'], reason: string | null, at: number): Mirrored => ({
  ...row,
  state,
  reason,
  stateSince: row.state === state ? row.stateSince : at,
})

function inWords({ finding, state }: Probe): string {
  if (finding === undefined) return `Our probe found it to be ${state}.`
  const { message, mend } = FINDINGS[finding]
  return `${message} ${mend}`
}

/** A way to pay, in words. */
export const termInWords = ({ scheme, network, asset, payTo }: PaymentTerm): string =>
  `${scheme} in ${asset} on ${network} to ${payTo}`

const changeInWords = (now: PaymentTerm, before: readonly PaymentTerm[]): string =>
  `It now asks to be paid by ${termInWords(now)}, and was known with ${before.map(termInWords).join(', ')}. It is not shown until the operator has reviewed that.`
