import type { CatalogueEntry } from '@callboard/contract'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'

type Endpoint = CatalogueEntry['endpoints'][number]

/** What a listing sells, in its provider's words, beside what our own probe found. */
export const listingPage = (entry: CatalogueEntry, now: number): Page => ({
  status: 200,
  title: entry.name,
  wide: true,
  body: html`
    <p>${entry.description}</p>
    <dl>
      <${Fact} name="Review">${entry.verified ? 'verified by the operator' : 'not reviewed'}<//>
      <${Fact} name="Network fee">${entry.fee.label}<//>
      <${Fact} name="Up in the last seven days">${uptime(entry)}<//>
      ${entry.lastCheckedAt && html`<${Fact} name="Last checked"><${Time} at=${entry.lastCheckedAt} now=${now} /><//>`}
    </dl>
    <h2>Endpoints</h2>
    <ul class="items">${entry.endpoints.map((endpoint) => html`<li><${Priced} ...${endpoint} /></li>`)}</ul>
    <p>
      <a href=${`/api/calls/${entry.id}`}>How to call it</a> · <a href=${`/call/${entry.id}/feed.xml`}>Its changes, as a feed</a>
    </p>
    <p class="meta">Names and descriptions are what the provider says. The live offer of a call is what counts.</p>
  `,
})

const uptime = ({ liveness: { checks7d, uptime7d } }: CatalogueEntry): string =>
  checks7d === 0 ? 'not checked yet' : `${(uptime7d * 100).toFixed(1)} % of ${checks7d} checks`

const Priced = ({ name, method, url, price, description, payment }: Endpoint) => html`
  <h3>${name}</h3>
  <p><span class="tag">${price} USD</span> <span class="tag">${payment.network}</span></p>
  ${description && html`<p>${description}</p>`}
  <p><code>${method} ${url}</code></p>
  <p class="meta">Paid to <code>${payment.payTo}</code></p>
`

export const noListingPage: Page = {
  status: 404,
  title: 'There is no such listing',
  body: html`<p>It was never listed, or is offline now. <a href="/">Search the directory</a>.</p>`,
}
