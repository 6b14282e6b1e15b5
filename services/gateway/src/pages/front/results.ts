import { type DiscoveryItem, MOST_HIDDEN } from '@callboard/contract'
import { html } from 'htm/preact'
import { counted } from '../wording.ts'
import { type Found, type Search, searchPath } from './search.ts'

/** The results of a search, in the directory's order. */
export function Results({ search, found }: { search: Search; found: Found }) {
  if (found === 'unavailable') {
    return html`<p class="problem" role="status">
      The directory is not available right now. Nothing is lost. Try again in a moment.
    </p>`
  }
  if ('problem' in found) return html`<p class="problem" role="alert">${found.problem}</p>`
  const { items, nextCursor, hiddenUnverified } = found
  const leftOut = search.includeUnverified ? 0 : hiddenUnverified
  if (items.length === 0) return html`<${Nothing} search=${search} leftOut=${leftOut} />`
  return html`
    <ul class="items">
      ${items.map((item) => html`<li><${Result} item=${item} /></li>`)}
    </ul>
    ${
      nextCursor !== null &&
      html`<p><a class="button small" href=${searchPath({ ...search, cursor: nextCursor })}>Show more results</a></p>`
    }
    <${LeftOut} search=${search} leftOut=${leftOut} />
    <p class="meta">Names and descriptions are the words of the provider, or of the source in which a mirrored listing was found. The price of a call is what our last check read. What counts is the seller’s live offer.</p>
  `
}

/** Offers of work and requests to buy cannot be called: anyone interested writes to the poster. */
const WHAT: Readonly<Record<Exclude<DiscoveryItem['kind'], 'api'>, string>> = {
  service_offer: 'Work offered',
  open_request: 'Wanted',
}

const Result = ({ item }: { item: DiscoveryItem }) =>
  item.kind === 'api' ? html`<${Callable} item=${item} />` : html`<${Posted} item=${item} what=${WHAT[item.kind]} />`

const Posted = ({ item: { card, execution, action }, what }: { item: DiscoveryItem; what: string }) => html`
  <h3>${card.title}</h3>
  <p class="meta">${what}; ${card.byline}</p>
  ${card.summary && html`<p>${card.summary}</p>`}
  <p>
    ${card.badges.map(({ label }) => html`<span class="tag">${label}</span>`)}
    ${card.facts.map(({ label, value }) => html`<span class="tag">${label} ${value}</span>`)}
  </p>
  <p><a href=${execution.url} rel="nofollow ugc noopener noreferrer">${execution.url}</a></p>
  <p><a href=${action.href}>See the full posting<span class="visually-hidden">: ${card.title}</span></a></p>
`

const Callable = ({ item: { ref, card, execution } }: { item: DiscoveryItem }) => html`
  <h3>${card.title}</h3>
  <p class="meta">${card.byline}</p>
  ${card.summary && html`<p>${card.summary}</p>`}
  <p>
    ${card.badges.map(({ label }) => html`<span class="tag">${label}</span>`)}
    ${card.facts.map(({ label, value }) => html`<span class="tag">${label} ${value}</span>`)}
    ${!execution.payable && html`<span class="tag">not payable here</span>`}
  </p>
  <p><code>${execution.method} ${execution.url}</code></p>
  <p><a href=${`/call/${encodeURIComponent(ref)}`}>How to call it<span class="visually-hidden">: ${card.title}</span></a></p>
`

interface Unshown {
  readonly search: Search
  /** Matching listings that the operator has not reviewed. */
  readonly leftOut: number
}

const Nothing = ({ search, leftOut }: Unshown) => html`
  <p class="empty" role="status">
    ${nothingOf(search, leftOut > 0)}
  </p>
  <${LeftOut} search=${search} leftOut=${leftOut} />
`

function nothingOf({ q }: Search, some: boolean): string {
  if (q) return some ? `Nothing reviewed matches “${q}”.` : `Nothing in the directory matches “${q}”.`
  return some ? 'Nothing in the directory has been reviewed yet.' : 'The directory is empty so far.'
}

const LeftOut = ({ search, leftOut }: Unshown) =>
  leftOut > 0 &&
  html`<p>
    Not shown: ${counted(leftOut, 'listing')}${leftOut === MOST_HIDDEN && ' or more'} that the operator has not reviewed yet.${' '}
    <a href=${searchPath({ ...search, includeUnverified: true, cursor: undefined })}>Include unreviewed listings</a>
  </p>`
