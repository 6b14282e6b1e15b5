import type { CatalogueEntry } from '@callboard/contract'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'
import { counted } from '../wording.ts'

type Endpoint = CatalogueEntry['endpoints'][number]
type HowToPay = CatalogueEntry['requests'][number]['howToPay']

/** What a listing sells, in its provider's words, together with the findings of our own probe. */
export const listingPage = (entry: CatalogueEntry, now: number): Page => ({
  status: 200,
  title: entry.name,
  wide: true,
  body: html`
    <p>${entry.description}</p>
    <dl>
      <${Fact} name="Review">${entry.verified ? 'verified by the operator' : 'not reviewed'}<//>
      <${Fact} name="Network fee">${entry.fee.label}<//>
      <${Fact} name="Uptime in the last seven days">${uptime(entry)}<//>
      ${entry.lastCheckedAt && html`<${Fact} name="Last checked"><${Time} at=${entry.lastCheckedAt} now=${now} /><//>`}
    </dl>
    <h2>Endpoints</h2>
    <ul class="items">
      ${entry.endpoints.map((endpoint) => html`<li><${Priced} ...${endpoint} howToPay=${howToPayOf(entry, endpoint)} /></li>`)}
    </ul>
    <p>
      <a href=${`/api/calls/${entry.id}`}>This listing as JSON</a> · <a href=${`/call/${entry.id}/feed.xml`}>Its changes as a feed</a>
    </p>
    <p class="meta">${saidBy(entry)} Prices are what our last check read. What counts is the seller’s live offer.</p>
  `,
})

/** Whose words they are. A review is only requested for a listing that its provider published or claimed. */
const saidBy = ({ group, verification }: CatalogueEntry): string =>
  group === 'external' && verification === 'none'
    ? 'The provider did not list this here. Unless it has claimed the listing, name and description are the words of the source in which we found it, or of the endpoint.'
    : 'Names and descriptions are the provider’s own words.'

/** Rounded down, as in the directory: one failed check of thousands is not 100 %. */
const uptime = ({ liveness: { checks7d, uptime7d } }: CatalogueEntry): string =>
  checks7d === 0 ? 'not checked yet' : `${Math.floor(uptime7d * 1_000) / 10} % (${counted(checks7d, 'check')})`

const howToPayOf = ({ requests }: CatalogueEntry, { method, url }: Endpoint): HowToPay =>
  requests.find((request) => request.method === method && request.url === url)?.howToPay ?? null

const Priced = ({
  name,
  method,
  url,
  price,
  description,
  payment,
  howToPay,
}: Endpoint & { howToPay: HowToPay }) => html`
  <h3>${name}</h3>
  <p><span class="tag">${price} USD</span> <span class="tag">${payment.network}</span></p>
  ${description && html`<p>${description}</p>`}
  <p><code>${method} ${url}</code></p>
  <p class="meta">Paid to <code>${payment.payTo}</code></p>
  ${howToPay && html`<${Copied} ...${howToPay} />`}
`

/** Snippets to copy that call the endpoint and pay for it. */
const Copied = ({ cli, typescript, python, curl }: NonNullable<HowToPay>) => html`
  <details>
    <summary>How to call it and pay</summary>
    <p>With the <code>callboard</code> command, within your spending policy:</p>
    <pre>${cli}</pre>
    <p>In TypeScript, with <code>@x402/fetch</code> and <code>@x402/evm</code>:</p>
    <pre>${typescript}</pre>
    <p>In Python, with <code>x402[httpx,evm]</code>:</p>
    <pre>${python}</pre>
    <p>To see the offer without paying:</p>
    <pre>${curl}</pre>
  </details>
`

export const noListingPage: Page = {
  status: 404,
  title: 'There is no such listing',
  body: html`<p>It was never listed, or it is offline now. <a href="/">Search the directory</a>.</p>`,
}
