import type { ListingRecord, ListingVisibility } from '@callboard/contract'
import { html } from 'htm/preact'
import { signInAt } from '../owner/return-to.ts'
import type { Page } from '../shell/document.ts'
import { counted } from '../wording.ts'
import { Visibility } from './listing-visibility.ts'

/** An owner's listing and its visibility; `unavailable` while that cannot be determined. */
export interface OwnListing {
  readonly listing: ListingRecord
  readonly visibility: ListingVisibility | 'unavailable'
}

export interface OwnListings {
  readonly listings: readonly OwnListing[]
  /** Where this page begins; absent on the first. */
  readonly cursor?: string
  /** Where the next page begins; null on the last. */
  readonly nextCursor: string | null
  /** Epoch milliseconds. */
  readonly now: number
  readonly formToken: string
  /** What was just done, or why it was not. */
  readonly said?: { readonly text: string; readonly status: 200 | 404 | 409 }
}

export const listingsPage = ({ listings, cursor, nextCursor, now, formToken, said }: OwnListings): Page => ({
  status: said?.status ?? 200,
  title: 'Your listings',
  posts: true,
  wide: true,
  body: html`
    ${said && html`<p class=${said.status === 200 ? 'done' : 'problem'} role="status">${said.text}</p>`}
    <p>Your listings in the directory, oldest first. For each, you see where it is shown, and what keeps it out of the other results. You make the fixes through the API with an API key, or on your own server.</p>
    ${
      listings.length === 0
        ? html`<p class="empty">You have no listings here. <a href="/docs#listings.publish">How to publish one</a></p>`
        : html`<ul class="items">
            ${listings.map((own) => html`<li><${Item} own=${own} now=${now} form=${{ formToken, cursor }} /></li>`)}
          </ul>`
    }
    <div class="actions">
      ${nextCursor !== null && html`<a class="button" href=${`/account/listings?${new URLSearchParams({ cursor: nextCursor })}`}>Show more listings</a>`}
      <a class="button" href="/account">Your account</a>
    </div>
  `,
})

const VERIFICATIONS: Readonly<Record<ListingRecord['verification'], string>> = {
  none: 'not reviewed',
  requested: 'review requested',
  verified: 'verified',
}

/** A listing's name, state and earnings; the caller sets the level of its heading. */
export const Summary = ({ listing, heading = 'h3' }: { listing: ListingRecord; heading?: 'h2' | 'h3' }) => html`
  <${heading}>${listing.status === 'live' ? html`<a href=${`/call/${listing.slug}`}>${listing.name}</a>` : listing.name}<//>
  <p>
    <span class="tag">${listing.status}</span>
    ${listing.status === 'live' && html`<span class="tag">${VERIFICATIONS[listing.verification]}</span>`}
  </p>
  <p class="meta">
    <code>${listing.slug}</code>, ${counted(listing.operations.length, 'endpoint')}.${' '}
    ${listing.splitter === null ? html`<${PaidDirectly} listing=${listing} />` : html`<${Earned} listing=${listing} />`}
  </p>
`

/** Payments to a claimed listing pass no splitter, so its record counts none. */
const PaidDirectly = ({ listing: { slug, payoutWallet } }: { listing: ListingRecord }) => html`
  Paid directly to <code>${payoutWallet}</code>.${' '}
  <a href=${`/activity?${new URLSearchParams({ listing: slug })}`}>See its payments</a>.
`

const Earned = ({ listing: { calls, revenue, shared } }: { listing: ListingRecord }) => html`
  ${counted(calls.total, 'paid call')}, ${revenue.amountUsd} USD. In the last seven days:
  ${' '}${counted(calls.last7d, 'paid call')}, ${revenue.last7dUsd} USD.
  ${
    shared.calls.total > 0 &&
    html` ${counted(shared.calls.total, 'more paid call')}, ${shared.revenue.amountUsd} USD, are of this listing or of another
    that pays out to the same wallet.`
  }
`

/** What the form of each listing carries: its token, and the page to return to. */
type Carried = Pick<OwnListings, 'formToken' | 'cursor'>

const Item = ({ own: { listing, visibility }, now, form }: { own: OwnListing; now: number; form: Carried }) => html`
  <${Summary} listing=${listing} heading="h2" />
  ${
    visibility === 'unavailable'
      ? html`<p class="problem">We cannot tell where it is shown right now. Try again in a moment.</p>`
      : html`<${Visibility} visibility=${visibility} now=${now} />`
  }
  ${listing.status === 'live' && html`<${TakeOffline} listing=${listing} form=${form} />`}
`

/** The consequences are shown before the button, since there is no further confirmation. */
const TakeOffline = ({
  listing: { slug, name, verification },
  form: { formToken, cursor },
}: {
  listing: ListingRecord
  form: Carried
}) => html`
  <details>
    <summary>Take it offline<span class="visually-hidden">: ${name}</span></summary>
    <p>
      From then on, no search shows it.${verification !== 'none' && ' It must be reviewed again before it is verified again.'}${' '}
      Your server keeps selling to anyone who knows its address. To bring the listing back, revise and activate it.
    </p>
    <form method="post" action="/account/listings">
      <input type="hidden" name="csrf" value=${formToken} />
      ${cursor !== undefined && html`<input type="hidden" name="cursor" value=${cursor} />`}
      <button class="small ends" name="suspend" value=${slug}>Take offline<span class="visually-hidden"> ${name}</span></button>
    </form>
  </details>
`

/** For a visitor who is not signed in. */
export const signInForListings = (status: 200 | 403 = 200): Page => ({
  status,
  title: 'Sign in to see your listings',
  body: html`${status === 403 && html`<p class="problem">You are no longer signed in. Nothing was changed.</p>`}
    <p>This page shows where each of your listings appears, and what keeps it out of the other results.</p>
    <p><a class="button primary" href=${signInAt('/account/listings')}>Sign in with your wallet</a></p>`,
})
