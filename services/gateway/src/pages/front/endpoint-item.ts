import type { CatalogueEntry, HowToPay } from '@callboard/contract'
import { html } from 'htm/preact'
import { Snippets } from '../invoke/snippets.ts'

type Endpoint = CatalogueEntry['endpoints'][number]
type Request = CatalogueEntry['requests'][number]
type Offers = Request['offers']

/** Parts of an offer whose values are documents, of which only the name is shown. */
const DOCUMENTS: readonly string[] = ['inputSchema', 'outputSchema']

/** The plain words for the parts of an offer that a buyer compares. */
const PARTS: Readonly<Record<string, string>> = {
  payable: 'whether it can be paid',
  payTo: 'payee',
  maxTimeoutSeconds: 'time to settle',
  inputSchema: 'input schema',
  outputSchema: 'output schema',
}

const partName = (field: string): string => PARTS[field] ?? field

/** A change of one part of an offer, in words. */
export const changeOf = (field: string, from: string | null, to: string | null): string =>
  DOCUMENTS.includes(field) ? partName(field) : `${partName(field)}: ${from ?? 'none'} → ${to ?? 'none'}`

/** An endpoint as listed, and how its own last offer differs. @param request absent where nothing was read yet */
export const EndpointItem = ({ endpoint, request }: { endpoint: Endpoint; request: Request | undefined }) => html`
  <h3>${endpoint.name}</h3>
  <p><span class="tag">${endpoint.price} USD</span> <span class="tag">${endpoint.payment.network}</span></p>
  ${endpoint.description && html`<p>${endpoint.description}</p>`}
  <p><code>${endpoint.method} ${endpoint.url}</code></p>
  <p class="meta">Paid to <code>${endpoint.payment.payTo}</code></p>
  ${request && html`<${Differing} ...${request.offers} />`}
  ${request?.howToPay && html`<${Copied} howToPay=${request.howToPay} />`}
  ${
    request?.action &&
    html`<p><a href=${request.action.href}>This call on a page of its own<span class="visually-hidden">: ${endpoint.name}</span></a></p>`
  }
`

/** What the endpoint’s own last offer says otherwise than its listing. */
export const Differing = ({ live, differences }: Offers) => {
  if (live?.accepts.length === 0) {
    return html`<p class="notice warned">At our last check, the endpoint asked for no payment.</p>`
  }
  if (differences.length === 0) return null
  return html`<div class="notice warned">
    <p>At our last check, the endpoint’s own offer differed from the listing:</p>
    <ul>
      ${differences.map(({ field, stored, live }) => html`<li>${changeOf(field, stored, live)}</li>`)}
    </ul>
  </div>`
}

const Copied = ({ howToPay }: { howToPay: HowToPay }) => html`
  <details>
    <summary>How to call it and pay</summary>
    <${Snippets} howToPay=${howToPay} />
  </details>
`
