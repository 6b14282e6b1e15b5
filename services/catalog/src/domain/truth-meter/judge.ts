import { burst } from './burst.ts'
import { dust } from './dust.ts'
import { facilitatorsOwn } from './facilitators-own.ts'
import { freshWallets } from './fresh-wallets.ts'
import { onePayer } from './one-payer.ts'
import { arranged, type Edges, type Named, type PaidEdge, type PaidWeek } from './paid-edge.ts'
import { bitOf, PATTERNS, type Pattern, type Suspicion } from './patterns.ts'
import { ring } from './ring.ts'
import { selfPay } from './self-pay.ts'
import { splitterLoop } from './splitter-loop.ts'

const RULES: Readonly<Record<Pattern, (edges: Edges) => Named>> = {
  self_pay: selfPay,
  ring,
  one_payer: onePayer,
  fresh_wallets: freshWallets,
  dust,
  facilitators_own: facilitatorsOwn,
  splitter_loop: splitterLoop,
  burst,
}

/** The rules' verdict on one wallet's calls to one payee in a week. */
export interface EdgeVerdict {
  readonly payer: string
  readonly payTo: string
  readonly suspicions: readonly Suspicion[]
}

/**
 * Judges the calls of a week by those of that week and the one before. The calls of each edge returned are set aside,
 * with the patterns and their evidence. The same calls yield the same verdicts, in any order.
 * @returns edges that show a pattern, ordered by payer and payee
 */
export function judge(week: PaidWeek): EdgeVerdict[] {
  const edges = arranged(week)
  const suspicions = new Map<PaidEdge, Suspicion[]>()
  for (const pattern of PATTERNS) {
    for (const [edge, evidence] of RULES[pattern](edges)) {
      const known = suspicions.get(edge)
      if (known) known.push({ pattern, evidence })
      else suspicions.set(edge, [{ pattern, evidence }])
    }
  }
  return [...suspicions]
    .map(([{ payer, payTo }, found]) => ({ payer, payTo, suspicions: found }))
    .toSorted((a, b) => (a.payer < b.payer || (a.payer === b.payer && a.payTo < b.payTo) ? -1 : 1))
}

/** The bits of a verdict's calls: for all of them, and for those below the floor. */
export function bitsOf({ suspicions }: Pick<EdgeVerdict, 'suspicions'>): {
  readonly all: number
  readonly belowFloor: number
} {
  const bits = (of: readonly Suspicion[]) => of.reduce((sum, { pattern }) => sum | bitOf(pattern), 0)
  const all = bits(suspicions.filter(({ pattern }) => pattern !== 'dust'))
  return { all, belowFloor: bits(suspicions) }
}
