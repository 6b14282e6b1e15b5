import type { ActivityItem, CatalogueEntry } from '@callboard/contract'
import { baseUnits, decimalText, type UsdText } from '@callboard/values'
import { html } from 'htm/preact'
import { Time } from '../shell/fact.ts'
import { counted, short } from '../wording.ts'

/** More digits than any sum in USD has: nothing is rounded. */
const USD_DIGITS = 18

type Step = CatalogueEntry['week'][number]
/** Paid calls as the chain shows them, and how many of them show no pattern of invented volume. */
export type Calls = Omit<Step, 'start'>

/** The calls of several steps of a range together. */
export const callsIn = (steps: readonly Step[]): Calls => ({
  calls: steps.reduce((sum, { calls }) => sum + calls, 0),
  volumeUsd: sumOf(steps.map(({ volumeUsd }) => volumeUsd)),
  surviving: {
    count: steps.reduce((sum, { surviving }) => sum + surviving.count, 0),
    volumeUsd: sumOf(steps.map(({ surviving }) => surviving.volumeUsd)),
  },
})

const sumOf = (amounts: readonly UsdText[]): UsdText =>
  decimalText(
    amounts.reduce((sum, amount) => sum + (baseUnits(amount, USD_DIGITS) ?? 0n), 0n),
    USD_DIGITS,
  )

/** Says what was paid, and what is left without dust and invented volume: a seller can pay itself. */
export function paidCalls({ calls, volumeUsd, surviving }: Calls): string {
  if (calls === 0) return 'none'
  const all = `${counted(calls, 'call')} for ${volumeUsd} USD`
  if (surviving.count === calls) return all
  const left = surviving.count === 0 ? 'none' : `${surviving.count} for ${surviving.volumeUsd} USD`
  return `${all}; without dust and signs of invented volume, ${left}`
}

/** The newest payments of a listing, each with what speaks against it. */
export const Settlements = ({ items, now }: { items: readonly ActivityItem[]; now: number }) => html`
  <ul class="items">
    ${items.map((item) => html`<li><${Settlement} ...${item} now=${now} /></li>`)}
  </ul>
`

const Settlement = (item: ActivityItem & { now: number }) => html`
  <p>
    ${item.amountUsd} USD by <code title=${item.payer}>${short(item.payer)}</code>,${' '}
    <${Time} at=${item.observedAt} now=${item.now} />
    ${item.kind === 'transfer' && html` <span class="tag">no price of this listing</span>`}
    ${item.shared && html` <span class="tag">may belong to one of ${item.shared.among} listings</span>`}
    ${item.invented?.map(({ reason }) => html` <span class="tag">set aside: ${reason}</span>`)}
  </p>
  <p class="meta">Transaction <code>${item.txHash}</code> on ${item.network}</p>
`
