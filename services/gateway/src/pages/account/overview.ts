import { html } from 'htm/preact'
import { Summary } from '../listings/listings-page.ts'
import { Left } from '../router/router-page.ts'
import type { Overview } from './read-overview.ts'

export const UNAVAILABLE = html`<p class="problem">This part is not available right now. Nothing is lost. Try again in a moment.</p>`

/** What the keys to language models may still spend. */
export const Balance = ({ usage, now }: Pick<Overview, 'usage'> & { now: number }) => html`<section>
  <h2>Router balance</h2>
  ${usage === 'unavailable' ? UNAVAILABLE : html`<${Left} usage=${usage} now=${now} />`}
  <p><a href="/account/router">Top up and see usage</a></p>
</section>`

/** What the owner offers; the page of listings shows the state of each. */
export const Offers = ({ offers }: Pick<Overview, 'offers'>) => html`<section>
  <h2>Listings</h2>
  ${
    offers === 'unavailable'
      ? UNAVAILABLE
      : offers.listings.length === 0
        ? html`<p class="empty">You have no listings in the directory.</p>`
        : html`<ul class="items">
              ${offers.listings.map((listing) => html`<li><${Summary} listing=${listing} /></li>`)}
            </ul>
            <p>
              <a href="/account/listings">See where each is shown and what keeps it out of other results${offers.isLonger && ', and the rest of your listings'}</a>
            </p>`
  }
</section>`
