import { type CatalogueEntry, MOST_SAME_PAYEE, type OfferChange } from '@callboard/contract'
import { html } from 'htm/preact'
import { Settlements } from '../activity/settlements.ts'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'
import { Advice } from './advice.ts'
import { changeOf, EndpointItem } from './endpoint-item.ts'
import { answerTime, BY_PROBE, reviewOf, saidBy, uptime } from './listing-words.ts'
import { callsIn, paidCalls } from './observed.ts'
import { WeekChart } from './week-chart.ts'

const ON_CHAIN = 'Observed on chain'
/** How many changes of offers are shown; the listing as JSON has more. */
const MOST_CHANGES = 10

/** What a listing sells, in its provider's words, together with the findings of our own probe and of the chain. */
export const listingPage = (entry: CatalogueEntry, now: number): Page => ({
  status: 200,
  title: entry.name,
  wide: true,
  body: html`
    <p>${entry.description}</p>
    <dl class="sheet">
      <${Fact} name="Review">${reviewOf(entry)}<//>
      <${Fact} name="Network fee">${entry.fee.label}<//>
      <${Fact} name="Paid calls in 7 days" origin=${ON_CHAIN}>${paidCalls(callsIn(entry.week))}<//>
      <${Fact} name="Uptime in 7 days" origin=${BY_PROBE}>${uptime(entry.liveness)}<//>
      ${entry.liveness.checks7d > 0 && html`<${Fact} name="Answer time" origin=${BY_PROBE}>${answerTime(entry.liveness)}<//>`}
      ${entry.lastCheckedAt && html`<${Fact} name="Last checked"><${Time} at=${entry.lastCheckedAt} now=${now} /><//>`}
      ${entry.samePayee.length > 0 && html`<${Fact} name="Other listings with its payee">${samePayee(entry)}<//>`}
    </dl>
    ${entry.week.some(({ calls }) => calls > 0) && html`<${WeekChart} week=${entry.week} />`}
    <h2>Endpoints</h2>
    <ul class="items">
      ${entry.endpoints.map(
        (endpoint) => html`<li><${EndpointItem} endpoint=${endpoint} request=${requestOf(entry, endpoint)} /></li>`,
      )}
    </ul>
    <${Advice} issues=${entry.conformance.issues} />
    ${
      entry.recentSettlements.length > 0 &&
      html`<h2>Last payments</h2>
        <${Settlements} items=${entry.recentSettlements} now=${now} />
        <p><a href=${`/activity?${new URLSearchParams({ listing: entry.id })}`}>All of its payments</a></p>`
    }
    ${
      entry.offerChanges.length > 0 &&
      html`<h2>Last changes of its offers</h2>
        <${Changes} changes=${entry.offerChanges.slice(0, MOST_CHANGES)} now=${now} />`
    }
    <p>
      <a href=${`/api/calls/${entry.id}`}>This listing as JSON</a> · <a href=${`/call/${entry.id}/feed.xml`}>Its changes as a feed</a>
    </p>
    <p class="meta">${saidBy(entry)} Prices are what our last check read. What counts is the seller’s live offer.</p>
  `,
})

/** Only how many: anyone can list something that names this payee, under any name. */
const samePayee = ({ samePayee: { length } }: CatalogueEntry): string =>
  length === MOST_SAME_PAYEE ? `${length} or more` : String(length)

const requestOf = ({ requests }: CatalogueEntry, { method, url }: CatalogueEntry['endpoints'][number]) =>
  requests.find((request) => request.method === method && request.url === url)

const Changes = ({ changes, now }: { changes: readonly OfferChange[]; now: number }) => html`
  <ul class="items">
    ${changes.map(
      ({ at, method, url, field, from, to }) => html`<li>
        <p>${changeOf(field, from, to)}, <${Time} at=${at} now=${now} /></p>
        <p class="meta"><code>${method} ${url}</code></p>
      </li>`,
    )}
  </ul>
`

export const noListingPage: Page = {
  status: 404,
  title: 'There is no such listing',
  body: html`<p>It was never listed, or it is offline now. <a href="/">Search the directory</a>.</p>`,
}
