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
  /** Where the next page begins; null on the last. */
  readonly nextCursor: string | null
  /** Epoch milliseconds. */
  readonly now: number
  readonly formToken: string
  /** What was just done, or why it was not. */
  readonly said?: { readonly text: string; readonly status: 200 | 404 | 409 }
}

export const listingsPage = ({ listings, nextCursor, now, formToken, said }: OwnListings): Page => ({
  status: said?.status ?? 200,
  title: 'Your listings',
  posts: true,
  wide: true,
  body: html`
    ${said && html`<p class=${said.status === 200 ? 'done' : 'problem'} role="status">${said.text}</p>`}
    <p>What you offer in the directory, oldest first: where each listing is found, and what keeps it out of the rest. What mends that is asked with an API key, or done at your server.</p>
    ${
      listings.length === 0
        ? html`<p class="empty">There is no listing of yours here. <a href="/docs#listings.publish">How one is published</a></p>`
        : html`<ul class="items">
            ${listings.map((own) => html`<li><${Item} own=${own} now=${now} formToken=${formToken} /></li>`)}
          </ul>`
    }
    <div class="actions">
      ${nextCursor !== null && html`<a class="button" href=${`/account/listings?${new URLSearchParams({ cursor: nextCursor })}`}>More of your listings</a>`}
      <a class="button" href="/account">Your account</a>
    </div>
  `,
})

const VERIFICATIONS: Readonly<Record<ListingRecord['verification'], string>> = {
  none: 'not reviewed',
  requested: 'review asked for',
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
    ${counted(listing.calls.total, 'paid call')}, ${listing.revenue.amountUsd} USD; in the last seven days
    ${' '}${listing.calls.last7d}, ${listing.revenue.last7dUsd} USD.
  </p>
`

const Item = ({
  own: { listing, visibility },
  now,
  formToken,
}: {
  own: OwnListing
  now: number
  formToken: string
}) => html`
  <${Summary} listing=${listing} heading="h2" />
  ${
    visibility === 'unavailable'
      ? html`<p class="problem">Where it stands cannot be asked now; try again in a moment.</p>`
      : html`<${Visibility} visibility=${visibility} now=${now} />`
  }
  ${listing.status === 'live' && html`<${TakeOffline} listing=${listing} formToken=${formToken} />`}
`

/** The consequences are shown before the button, since there is no further confirmation. */
const TakeOffline = ({
  listing: { slug, name, verification },
  formToken,
}: {
  listing: ListingRecord
  formToken: string
}) => html`
  <details>
    <summary>Take it offline<span class="visually-hidden">: ${name}</span></summary>
    <p>
      No search shows it from then on.${verification !== 'none' && ' It is reviewed anew before it is verified again.'}${' '}
      Your server goes on selling to whoever knows its address. To bring it back, revise and activate it.
    </p>
    <form method="post" action="/account/listings">
      <input type="hidden" name="csrf" value=${formToken} />
      <button class="small ends" name="suspend" value=${slug}>Take offline<span class="visually-hidden"> ${name}</span></button>
    </form>
  </details>
`

/** For a visitor who is not signed in. */
export const signInForListings = (status: 200 | 403 = 200): Page => ({
  status,
  title: 'Sign in to see your listings',
  body: html`${status === 403 && html`<p class="problem">You are not signed in any more. Nothing was changed.</p>`}
    <p>This page says where each of your listings is found, and what keeps it out of the rest.</p>
    <p><a class="button primary" href=${signInAt('/account/listings')}>Sign in with your wallet</a></p>`,
})
