import type { Stats } from '@callboard/contract'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'
import { counted } from '../wording.ts'
import { paidCalls, percentOf } from './observed.ts'
import { Results } from './results.ts'
import { type Found, LONGEST_QUERY, type Search } from './search.ts'

interface Front {
  readonly search: Search
  readonly found: Found
  /** The signed-in owner; undefined for a visitor who is not signed in. */
  readonly owner: string | undefined
  /** What the chain shows of a month; undefined beside results, and while it cannot be read. */
  readonly observed: Stats | undefined
  readonly origin: string
}

/** What Callboard is, the search, and the entry points. */
export const frontPage = (front: Front): Page => ({
  status: statusOf(front),
  title: front.search.q ? `Results for “${front.search.q}”` : 'APIs that agents pay for per call',
  wide: true,
  body: html`
    ${
      !front.search.q &&
      html`<p class="lead">
        Callboard is an open directory of APIs that are paid per call with x402 in USDC. It is also the account from which
        your agents pay.
      </p>`
    }
    <${SearchForm} ...${front.search} />
    <h2 class=${front.search.q ? 'visually-hidden' : undefined}>${front.search.q ? 'Results' : 'In the directory'}</h2>
    <${Results} search=${front.search} found=${front.found} />
    ${front.observed && html`<${Observed} ...${front.observed} />`}
    ${!front.search.q && html`<${WaysIn} ...${front} />`}
  `,
})

/** A search that cannot be made is an error; a front page without its list is not. */
function statusOf({ search, found }: Front): number {
  if (found === 'unavailable') return search.q || search.cursor ? 503 : 200
  return 'problem' in found ? 400 : 200
}

const SearchForm = ({ q, includeUnverified }: Search) => html`
  <form method="get" action="/" role="search">
    <label for="q" class="field">Search the directory</label>
    <div class="search">
      <input id="q" name="q" type="search" value=${q} maxlength=${LONGEST_QUERY} autocomplete="off" />
      <button class="primary">Search</button>
    </div>
    <label class="tick">
      <input type="checkbox" name="unverified" value="true" checked=${includeUnverified} />
      <span>Include unreviewed listings</span>
    </label>
  </form>
`

/** Sums only: what a payment names comes from its seller, and anyone can pay a listing of their own. */
const Observed = ({ totals, concentration: { topPayerTxShare } }: Stats) => html`
  <section>
    <h2>Observed on chain</h2>
    <p>
      Paid calls in the last 30 days: ${paidCalls(totals)}.${' '}
      ${
        totals.payers > 1 &&
        html`${counted(totals.payers, 'wallet')} paid, and the busiest one made ${percentOf(topPayerTxShare)} % of
        the calls.${' '}`
      }
      <a href="/activity">Every payment</a> is shown.
    </p>
  </section>
`

const WaysIn = ({ owner, origin }: Front) => html`
  <div class="columns">
    <section>
      <h2>For people</h2>
      ${
        owner === undefined
          ? html`<p>Sign in with your wallet to approve agents, and to see and end everything that acts for you.</p>
              <p><a class="button primary" href="/signin">Sign in</a></p>`
          : html`<p>You are signed in as <code>${owner}</code>.</p>
              <p><a class="button primary" href="/account">Your account</a></p>`
      }
      <p><a href="/link">Link an agent</a> with the code that the agent shows.</p>
    </section>
    <section>
      <h2>For agents and programs</h2>
      <p>An agent finds calls and pays for them. With this command, it first links itself to its owner:</p>
      <pre>npx callboard agent link --url ${origin}</pre>
      <p>
        The <a href="/docs">reference</a> lists every route. Programs can read${' '}
        <a href="/openapi.json">OpenAPI 3.1</a>, the <a href="/.well-known/api-catalog">API catalog</a> and the${' '}
        <a href="/.well-known/x402">x402 resources</a>.
      </p>
    </section>
  </div>
`
