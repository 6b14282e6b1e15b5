/**
 * The named patterns of invented volume. A pattern's index is its bit in a settlement's column, so the order is fixed
 * and new ones come last.
 */
export const PATTERNS = [
  'self_pay',
  'ring',
  'one_payer',
  'fresh_wallets',
  'dust',
  'facilitators_own',
  'splitter_loop',
  'burst',
] as const
export type Pattern = (typeof PATTERNS)[number]

export const bitOf = (pattern: Pattern): number => 1 << PATTERNS.indexOf(pattern)

/** The patterns in a settlement's column, in their order. */
export const patternsIn = (bits: number): Pattern[] => PATTERNS.filter((pattern) => (bits & bitOf(pattern)) !== 0)

/** A pattern that the calls of an edge show, with the numbers that the rule used. */
export interface Suspicion {
  readonly pattern: Pattern
  readonly evidence: Evidence
}

/** Counts and addresses by name: what a reader needs to check the rule. */
export type Evidence = Readonly<Record<string, number | string>>

/** A pattern in words, and what lifts it. */
interface Wording {
  readonly reason: (evidence: Evidence) => string
  readonly lifts: string
}

const WORDINGS: Readonly<Record<Pattern, Wording>> = {
  self_pay: {
    reason: ({ calls, wallet }) => `The seller paid itself: ${calls} calls in two weeks are from ${wallet}.`,
    lifts: 'A seller that pays itself at most three times in two weeks is testing, and nothing is set aside.',
  },
  ring: {
    reason: ({ members, insideShare }) =>
      `${members} wallets pay each other in a circle, and ${percent(insideShare)} of what the seller earned came from inside it.`,
    lifts: 'The circle ends where at least 30 % of a member’s income comes from wallets outside it.',
  },
  one_payer: {
    reason: ({ calls, share }) =>
      `One wallet made ${calls} calls, brought ${percent(share)} of the seller’s volume in two weeks, and pays hardly any other seller.`,
    lifts:
      'Five other wallets that also pay other sellers and bring 1.5 % of the volume, or a tenth of the volume from others.',
  },
  fresh_wallets: {
    reason: ({ wallets, share }) =>
      `${wallets} wallets that paid no other seller in two weeks brought ${percent(share)} of the seller’s volume, in five calls or fewer each.`,
    lifts: 'A quarter of the volume from wallets that stay or that pay other sellers too.',
  },
  dust: {
    reason: ({ calls }) => `${calls} of the seller’s calls in two weeks are below the smallest amount that counts.`,
    lifts: 'A payment of at least that amount is not dust.',
  },
  facilitators_own: {
    reason: ({ calls, payers }) =>
      `In two weeks the payer settled for ${payers} other payers, and made ${calls} calls itself.`,
    lifts: 'A facilitator that pays a seller at most three times in two weeks is testing, and nothing is set aside.',
  },
  splitter_loop: {
    reason: ({ calls, wallet }) => `${calls} calls went into the splitter that pays out to their payer, ${wallet}.`,
    lifts:
      'A payout wallet that pays its own splitter at most three times in two weeks is testing, and nothing is set aside.',
  },
  burst: {
    reason: ({ calls, slots }) =>
      `The wallet made ${calls} calls in ${slots} periods of ten minutes, and was silent for the rest of two weeks.`,
    lifts:
      'Calls on three days, another seller that the wallet pays, or a seller that gets most of its volume from others.',
  },
}

const percent = (share: number | string | undefined): string => `${Math.floor(Number(share ?? 0) * 100)} %`

/** Why the calls of an edge are set aside. */
export const reasonOf = ({ pattern, evidence }: Suspicion): string => WORDINGS[pattern].reason(evidence)

/** What would lift a pattern. */
export const liftOf = (pattern: Pattern): string => WORDINGS[pattern].lifts
