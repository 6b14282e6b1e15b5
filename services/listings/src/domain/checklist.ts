import type { ChecklistAnswer as Answer, ChecklistItem, Conformance, ListingOperation } from '@callboard/contract'
import { DAY_MS } from '@callboard/values'

/** Rises when an item is added, removed or asks something else; it is stored with every review. */
export const CHECKLIST_VERSION = 1

/** An older reading of an endpoint says nothing about its current state. */
const FRESH_MS = DAY_MS

/** The facts that the system knows about a listing under review. */
export interface ReviewedNow {
  readonly operations: readonly Pick<ListingOperation, 'method' | 'url' | 'payment' | 'price' | 'problem'>[]
  readonly conformance: Conformance | null
  /** What the payee signed to be here; null if nothing. */
  readonly signedFor: 'the listing' | 'the claim' | null
  readonly payTo: string
  /** Whether the splitter's code was seen on chain; null if the payee is paid directly. */
  readonly splitterDeployed: boolean | null
  /** A verified listing of another owner whose name can be confused with this one's. */
  readonly namesake: string | undefined
  /** Milliseconds. */
  readonly now: number
}

type Found = Pick<Answer, 'holds' | 'detail'>

const yes = (detail: string): Found => ({ holds: true, detail })
const no = (detail: string): Found => ({ holds: false, detail })

interface Asked {
  readonly question: string
  /** How the system answers; absent if only a person can. */
  readonly find?: (listing: ReviewedNow) => Found
}

/** What is checked before a listing is verified: facts that the system answers, and questions that it cannot. */
export const CHECKLIST: Readonly<Record<ChecklistItem, Asked>> = {
  payee_signed: {
    question: 'The payee signed for it.',
    find: ({ signedFor }) => (signedFor ? yes(`Its payee signed for ${signedFor}.`) : no('No payee signed for it.')),
  },
  payee_on_chain: {
    question: 'Its payee is on the chain.',
    find: ({ payTo, splitterDeployed }) =>
      splitterDeployed === null
        ? yes(`It is paid directly, at ${payTo}.`)
        : splitterDeployed
          ? yes(`The code at ${payTo} is its fee splitter.`)
          : no(`No fee splitter was seen at ${payTo}.`),
  },
  payable: { question: 'A probe of the last day read an offer of every endpoint that pays its payee.', find: payable },
  conformant: {
    question: 'Its challenges keep to the version that they declare.',
    find: ({ conformance }) =>
      !conformance
        ? no('No challenge of it was read.')
        : conformance.versionConformant
          ? yes(`x402 version ${conformance.declaredVersion}; remarks: ${conformance.issues.join(', ') || 'none'}.`)
          : no(`It declares version ${conformance.declaredVersion}: ${conformance.issues.join(', ')}.`),
  },
  name_free: {
    question: 'Its name cannot be taken for that of a verified listing of another owner.',
    find: ({ namesake }) => (namesake === undefined ? yes('None is alike.') : no(`It can be taken for “${namesake}”.`)),
  },
  description: { question: 'A call was made or a sample read, and its description says what a paid call answers.' },
  price: { question: 'What is charged is what its words and its offer say, with nothing beside or after the call.' },
  impersonation: {
    question: 'Neither its name, its words nor its host pass for another company or for this directory.',
  },
  terms: { question: 'What it sells may be sold here, and it asks buyers for nothing that they should not send.' },
}

const ITEMS = Object.entries(CHECKLIST) as [ChecklistItem, Asked][]

function payable({ operations, now }: ReviewedNow): Found {
  for (const { method, url, payment, problem } of operations) {
    if (!payment) return no(`${method} ${url}: ${problem ?? 'no offer was read.'}`)
    if (now - Date.parse(payment.checkedAt) > FRESH_MS)
      return no(`${method} ${url}: last read at ${payment.checkedAt}.`)
  }
  const prices = operations.map(
    ({ method, url, price, payment }) => `${method} ${url} ${price} USD at ${payment?.checkedAt}`,
  )
  return operations.length === 0 ? no('It has no endpoint.') : yes(prices.join(', '))
}

/** Every item, with the system's answer if it has one. */
export const answeredBySystem = (listing: ReviewedNow): Answer[] =>
  ITEMS.map(([item, { question, find }]) => ({ item, question, ...(find?.(listing) ?? { holds: null, detail: '' }) }))

/**
 * The items for which the operator's answer is missing: questions that only a person can answer, and facts against the
 * listing, which the operator may accept by name.
 */
export const unanswered = (answers: readonly Answer[], checked: readonly string[]): ChecklistItem[] =>
  answers.filter(({ item, holds }) => holds !== true && !checked.includes(item)).map(({ item }) => item)

/** Names that are not items. */
export const unknownItems = (checked: readonly string[]): string[] =>
  checked.filter((name) => !ITEMS.some(([item]) => item === name))
