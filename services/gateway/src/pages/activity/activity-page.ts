import type { ActivityItem, AddressActivity, Range } from '@callboard/contract'
import { html } from 'htm/preact'
import { paidCalls } from '../front/observed.ts'
import type { Page } from '../shell/document.ts'
import { Fact } from '../shell/fact.ts'
import { Settlements } from './settlements.ts'

/** A part of the ledger, newest first. */
export interface Activity {
  readonly asked: { readonly range: Range; readonly listing?: string; readonly address?: string }
  /** What an address paid and received; undefined where none is asked about alone. */
  readonly sides: AddressActivity['totals'] | undefined
  readonly items: readonly ActivityItem[]
  readonly nextCursor: string | undefined
}

const RANGES: Readonly<Record<Range, string>> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
}

/** What the chain shows, and nothing that a seller or a buyer says: listings are named as in their addresses. */
export const activityPage = ({ asked, sides, items, nextCursor }: Activity, now: number): Page => ({
  status: 200,
  title: 'Payments observed on chain',
  wide: true,
  body: html`
    <p class="lead">Payments to the payees of listings that Callboard has read from the chain, whoever settled them.</p>
    <${Asking} ...${asked} />
    ${sides && html`<${Sides} ...${sides} />`}
    <h2>Payments of ${RANGES[asked.range]}</h2>
    ${items.length === 0 ? html`<p class="empty">None.</p>` : html`<${Settlements} items=${items} now=${now} named />`}
    ${
      nextCursor !== undefined &&
      html`<p><a class="button small" href=${pathOf({ ...asked, cursor: nextCursor })}>Show older payments</a></p>`
    }
    <p class="meta">
      Anyone can pay a listing of their own: what shows a pattern of invented volume is marked, and what was marked counts
      in no ranking. For programs: <a href="/api/call/activity">the ledger as JSON</a>.
    </p>
  `,
})

const Asking = ({ range, listing, address }: Activity['asked']) => html`
  <form method="get" action="/activity" class="asking">
    <div>
      <label for="listing" class="field">Listing</label>
      <input id="listing" name="listing" value=${listing ?? ''} maxlength="128" autocomplete="off" />
    </div>
    <div>
      <label for="address" class="field">Address</label>
      <input id="address" name="address" value=${address ?? ''} maxlength="64" autocomplete="off" />
    </div>
    <div>
      <label for="range" class="field">Time</label>
      <select id="range" name="range">
        ${Object.entries(RANGES).map(([value, words]) => html`<option value=${value} selected=${value === range}>${words}</option>`)}
      </select>
    </div>
    <button>Show</button>
  </form>
`

const Sides = ({ paid, received }: AddressActivity['totals']) => html`
  <dl class="sheet">
    <${Fact} name="It paid" origin="Observed on chain">${sideOf(paid)}<//>
    <${Fact} name="It received" origin="Observed on chain">${sideOf(received)}<//>
  </dl>
`

/** The calls of a side, and the transfers that were no calls. */
const sideOf = (side: AddressActivity['totals']['paid']): string =>
  side.transfers.count === 0
    ? paidCalls(side)
    : `${paidCalls(side)}; beside these ${side.transfers.count} for ${side.transfers.volumeUsd} USD that were no price of a listing`

const pathOf = (asked: Readonly<Record<string, string>>): string => `/activity?${new URLSearchParams(asked)}`

/** @param asked what was typed, to be corrected */
export const noActivityPage = (asked: Activity['asked']): Page => ({
  status: 400,
  title: 'There is no such page of payments',
  wide: true,
  body: html`<p class="problem" role="alert">
      A page of payments is of a listing, named as in its address, or of an Ethereum address, and of a day, a week or 30
      days. An address is 0x and 40 hexadecimal digits. Its capital letters are a checksum: where you are not sure of
      them, write small ones.
    </p>
    <${Asking} ...${asked} />
    <p><a href="/activity">Show all payments</a></p>`,
})
