import type { ActivityItem } from '@callboard/contract'
import { html } from 'htm/preact'
import { Time } from '../shell/fact.ts'
import { short } from '../wording.ts'

interface Shown {
  readonly now: number
  /** Whether each says which listing was paid. */
  readonly named?: boolean
}

/** Payments as the chain shows them, each with what speaks against it. */
export const Settlements = ({ items, now, named = false }: Shown & { items: readonly ActivityItem[] }) => html`
  <ul class="items">
    ${items.map((item) => html`<li><${Settlement} ...${item} now=${now} named=${named} /></li>`)}
  </ul>
`

const Settlement = ({ now, named, ...item }: ActivityItem & Shown) => html`
  <p>
    ${item.amountUsd} USD by <${Wallet} address=${item.payer} />
    ${named && html` for <a href=${`/call/${encodeURIComponent(item.listing.ref)}`}>${item.listing.ref}</a>`}
    , <${Time} at=${item.observedAt} now=${now} />
    ${item.kind === 'transfer' && html` <span class="tag">no price of this listing</span>`}
    ${item.shared && html` <span class="tag">may belong to one of ${item.shared.among} listings</span>`}
    ${item.invented?.map(({ reason }) => html` <span class="tag">set aside: ${reason}</span>`)}
  </p>
  <p class="meta">Transaction <code>${item.txHash}</code> on ${item.network}</p>
`

const Wallet = ({ address }: { address: string }) =>
  html`<a href=${`/activity?address=${address}`} title=${address}><code>${short(address)}</code></a>`
