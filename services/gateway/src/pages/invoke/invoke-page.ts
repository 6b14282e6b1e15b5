import type { InvokedCall } from '@callboard/contract'
import { html } from 'htm/preact'
import { Advice } from '../front/advice.ts'
import { Differing } from '../front/endpoint-item.ts'
import { answerTime, BY_PROBE, reviewOf, saidBy, uptime } from '../front/listing-words.ts'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'
import { RequestPart } from './request-part.ts'
import { SEEN } from './seen.ts'
import { Snippets } from './snippets.ts'
import { type Reason, type Verdict, verdictOf } from './verdict.ts'

/** One call of a listing: what it is, what our probe saw, and how to make it and pay. It asks the seller nothing. */
export function invokePage(call: InvokedCall, now: number): Page {
  const { listing, description, request, liveness, issues } = call
  const verdict = verdictOf(call)
  const { stored } = request.offers
  return {
    status: 200,
    title: listing.name === request.name ? listing.name : `${listing.name}: ${request.name}`,
    wide: true,
    body: html`
      <p class="lead">
        One call of <a href=${`/call/${encodeURIComponent(listing.id)}`}>${listing.name}</a>. ${toWhom(listing)}
      </p>
      <p><code>${request.method} ${request.url}</code></p>
      <p>${description || listing.description}</p>
      <${Payable} verdict=${verdict} />
      <dl class="sheet">
        ${stored && html`<${Paid} stored=${stored} now=${now} />`}
        ${call.check && html`<${Checked} check=${call.check} now=${now} />`}
        <${Fact} name="Uptime in 7 days" origin=${BY_PROBE}>${uptime(liveness)}, of the whole listing<//>
        ${liveness.checks7d > 0 && html`<${Fact} name="Answer time" origin=${BY_PROBE}>${answerTime(liveness)}<//>`}
        <${Fact} name="Review">${reviewOf(listing)}<//>
      </dl>
      <${Differing} ...${request.offers} />
      <${Advice} issues=${issues} />
      <${RequestPart} request=${request} />
      <${HowTo} call=${call} verdict=${verdict} />
      <p>
        <a href=${`/call/${encodeURIComponent(listing.id)}`}>The whole listing</a> ·${' '}
        <a href=${`/api/calls/${encodeURIComponent(listing.id)}`}>The listing as JSON</a> · <a href="/">Search the directory</a>
      </p>
      <p class="meta">${saidBy(listing)} The price is what our last check read. What counts is the seller’s live offer.</p>
    `,
  }
}

/** Of our own calls, we are the seller. */
const toWhom = ({ group }: InvokedCall['listing']): string =>
  group === 'svc'
    ? 'This service sells it itself. This page sends nothing.'
    : 'You call its seller and pay it directly. Callboard is not in between, and this page sends the seller nothing.'

const Payable = ({ verdict }: { verdict: Verdict }) =>
  verdict.payable ? html`<${Can} doubt=${verdict.doubt} />` : html`<${Cannot} reasons=${verdict.reasons} />`

const Can = ({ doubt }: { doubt: string | null }) =>
  doubt === null
    ? html`<p class="done">It can be paid with x402.</p>`
    : html`<p class="notice warned">It can be paid with x402, as its offer was last read. ${doubt}</p>`

const Cannot = ({ reasons }: { reasons: readonly Reason[] }) => html`
  <div class="notice warned">
    <p>It cannot be paid now.</p>
    <ul>
      ${reasons.map(
        ({ message, mend }) => html`<li>
          ${message}${mend && html` <span class="meta">Its seller can mend that: ${mend}</span>`}
        </li>`,
      )}
    </ul>
  </div>
`

type Stored = NonNullable<InvokedCall['request']['offers']['stored']>

const Paid = ({
  stored: { price, network, asset, payTo, amount, checkedAt },
  now,
}: {
  stored: Stored
  now: number
}) => html`
  <${Fact} name="Price" origin=${BY_PROBE}>${price} USD, read <${Time} at=${checkedAt} now=${now} /><//>
  <${Fact} name="Network"><code>${network}</code><//>
  <${Fact} name="Token">${amount} base units of <code>${asset}</code><//>
  <${Fact} name="Paid to"><code>${payTo}</code><//>
`

const Checked = ({
  check: { state, checkedAt, okAt },
  now,
}: {
  check: NonNullable<InvokedCall['check']>
  now: number
}) => html`
  <${Fact} name="Last check" origin=${BY_PROBE}>
    <${Time} at=${checkedAt} now=${now} />: ${SEEN[state] ?? state}
  <//>
  ${okAt !== null && okAt !== checkedAt && html`<${Fact} name="Last up"><${Time} at=${okAt} now=${now} /><//>`}
`

const HowTo = ({ call: { request }, verdict }: { call: InvokedCall; verdict: Verdict }) => {
  if (!verdict.payable) return null
  if (!request.howToPay) return html`<p>The texts that call and pay are too long for this page.</p>`
  return html`
    <h2>How to call it and pay</h2>
    <p>
      Each text sends one call. The three programs read the wallet’s key from <code>PRIVATE_KEY</code>. None of the texts
      pays more than it says, whatever the seller asks.
    </p>
    <${Snippets} howToPay=${request.howToPay} />
  `
}
