import { circlesOf } from './circles.ts'
import type { Edges, Named, PaidEdge } from './paid-edge.ts'

/** The least share of a member’s income that comes from inside, in thousandths. */
const INSIDE = 700n
/** The least share of the inside income that a member passes on inside, in thousandths. */
const PASSED_ON = 500n
const FEWEST_CALLS = 20

interface Flow {
  readonly edge: PaidEdge
  readonly from: string
  readonly to: string
}

/**
 * Wallets that pay each other in circles and earn from hardly anyone else. Sellers that merely buy from each other have
 * customers outside; wallets outside the ring are removed until only members are left.
 */
export function ring(week: Edges): Named {
  const flows = week.edges.map((edge) => ({ edge, from: edge.payer, to: week.walletOf(edge.payTo) }))
  const income = sums(flows, ({ to }) => to)
  let inside = flows.filter(({ from, to }) => from !== to)
  for (;;) {
    const circles = circlesOf(
      new Map([...Map.groupBy(inside, ({ from }) => from)].map(([from, out]) => [from, out.map(({ to }) => to)])),
    )
    const circleOf = new Map(circles.flatMap((circle, at) => circle.map((wallet) => [wallet, at] as const)))
    const within = inside.filter(({ from, to }) => circleOf.has(from) && circleOf.get(from) === circleOf.get(to))
    const [earned, spent] = [sums(within, ({ to }) => to), sums(within, ({ from }) => from)]
    const isMember = (wallet: string) => {
      const [inner, out, all] = [earned, spent, income].map((of) => of.get(wallet) ?? 0n) as [bigint, bigint, bigint]
      return inner * 1000n >= all * INSIDE && out * 1000n >= inner * PASSED_ON
    }
    const left = within.filter(({ from, to }) => isMember(from) && isMember(to))
    if (left.length === inside.length) {
      const callsIn = new Map<number, number>()
      for (const { edge, to } of left) {
        const at = circleOf.get(to) ?? -1
        callsIn.set(at, (callsIn.get(at) ?? 0) + edge.calls)
      }
      const large = left.filter(({ to }) => (callsIn.get(circleOf.get(to) ?? -1) ?? 0) >= FEWEST_CALLS)
      return new Map(
        large.map(({ edge, to }) => {
          const members = circles[circleOf.get(to) ?? -1]?.length ?? 0
          const insideShare = Number(((earned.get(to) ?? 0n) * 1000n) / (income.get(to) || 1n)) / 1000
          return [edge, { members, insideShare }]
        }),
      )
    }
    inside = left
  }
}

function sums(flows: readonly Flow[], walletOf: (flow: Flow) => string): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const flow of flows) sums.set(walletOf(flow), (sums.get(walletOf(flow)) ?? 0n) + flow.edge.volume)
  return sums
}
