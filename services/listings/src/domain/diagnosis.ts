import {
  acceptsOf,
  type Diagnosis,
  type ListingOperation,
  PROBE_DOCS_PATH,
  type ProbeReport,
  type ShownOffer,
} from '@callboard/contract'
import type { ChainSet } from '@callboard/evm'
import { refuse } from '@callboard/values'
import { type ConformanceIssue, ISSUE_WORDS, type NotPayableReason, REASON_WORDS, type Words } from '@callboard/x402'
import { firstNotPayingSplitter, type Probed, type Unusable } from './evidence.ts'
import type { Terms } from './offer.ts'

/** The most ways to pay that are shown next to the wanted one. */
const MAX_OFFERED = 8

export type Wanted = Diagnosis['wanted'][number]

/** How a listing wants to be paid. */
export const wantedBy = ({ network, asset, payTo }: Terms): Wanted[] => [{ scheme: 'exact', network, asset, payTo }]

/** What can be paid here at all: the USDC of each network. */
export const payableHere = (chains: ChainSet): Wanted[] =>
  [...chains.values()].map(({ network, usdc }) => ({ scheme: 'exact', network, asset: usdc.address }))

/**
 * A probe's result, in the same words wherever it is shown: what was offered, what is wanted, and the mend of
 * everything that is wrong.
 * @param more the words of a finding that only a listing makes: an offer that is sound but pays another address
 */
export function diagnosisOf(report: ProbeReport, wanted: readonly Wanted[], baseUrl: string, more?: Words): Diagnosis {
  const { state, finding, message, mend, httpStatus, redirectTo, methods, contentEncoding, result } = report
  const docs = (anchor: string) => new URL(`${PROBE_DOCS_PATH}#${anchor}`, baseUrl).href
  return {
    state,
    finding,
    message,
    mend,
    ...more,
    docs: docs(finding),
    httpStatus,
    ...(redirectTo ? { redirectTo } : {}),
    ...(methods ? { methods } : {}),
    ...(contentEncoding ? { contentEncoding } : {}),
    offered: (acceptsOf(report) ?? []).slice(0, MAX_OFFERED).map(offeredWay),
    wanted: [...wanted],
    issues: (result?.kind === 'x402' ? result.conformance.issues : []).flatMap((code) => {
      const words = wordsOf(ISSUE_WORDS, code)
      return words ? [{ code, ...words, docs: docs(code) }] : []
    }),
  }
}

function offeredWay({ scheme, network, asset, amount, payTo, payable, notPayableReason }: ShownOffer) {
  const words = notPayableReason === null ? undefined : wordsOf(REASON_WORDS, notPayableReason)
  return {
    scheme,
    network,
    asset,
    amount,
    payTo,
    payable,
    message: words?.message ?? notPayableReason,
    mend: words?.mend ?? null,
  }
}

/** The refusal of a listing for an operation that cannot be paid; undefined if all can be. */
export function unusable(first: Unusable | undefined, terms: Terms, baseUrl: string) {
  if (!first) return undefined
  const { index, probed, words } = first
  const { message, ...details } = diagnosisOf(probed.report, wantedBy(terms), baseUrl, words)
  return refuse('no_usable_challenge', {
    field: `operations.${index}.url`,
    message: `${probed.operation.name}: ${message}`,
    details,
  })
}

/** An endpoint of a live listing that is not paid through its splitter, and why. */
export type Problem = Diagnosis & Pick<ListingOperation, 'method' | 'url'>

/** Why endpoints cannot be paid, one problem for each. */
export const unpaid = (probed: readonly Probed[], terms: Terms, baseUrl: string): Problem[] =>
  probed.flatMap((one) => {
    const { method, url } = one.operation
    const found = firstNotPayingSplitter([one], terms)
    return found ? [{ method, url, ...diagnosisOf(one.report, wantedBy(terms), baseUrl, found.words) }] : []
  })

/** The words of a code; undefined for one from a newer process. */
function wordsOf<Code extends ConformanceIssue | NotPayableReason>(
  table: Readonly<Record<Code, Words>>,
  code: string,
): Words | undefined {
  return Object.hasOwn(table, code) ? table[code as Code] : undefined
}
