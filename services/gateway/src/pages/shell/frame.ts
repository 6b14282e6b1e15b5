import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { short } from '../wording.ts'
import { Mark } from './mark.ts'

/** Where a page is shown, and to whom. */
export interface Viewed {
  /** The origin of the public base URL, which owners compare with the address bar. */
  readonly origin: string
  /** The signed-in owner; null for a visitor who is not signed in, absent if that is not known. */
  readonly owner?: string | null
}

/** The frame of every page: the name, links to the other pages, and the instance's origin. */
export const Frame = ({
  origin,
  owner,
  wide,
  children,
}: Viewed & { wide?: boolean; children?: ComponentChildren }) => html`
  <a class="skip" href="#content">Skip to the content</a>
  <header class="top">
    <div class="bar">
      <a class="brand" href="/"><${Mark} />Callboard</a>
      <nav aria-label="Callboard">
        <a href="/docs" class="extra">Reference</a>
        <${You} owner=${owner} />
      </nav>
    </div>
  </header>
  <main id="content" class=${wide ? 'wide' : undefined}>${children}</main>
  <footer class="bottom">
    <div class="bar">
      <p>This page is from <strong>${origin}</strong>. It loads nothing from anywhere else.</p>
      <p>
        <a href="/activity">Payments</a> · <a href="/docs">Reference</a> · <a href="/openapi.json">OpenAPI</a> ·${' '}
        <a href="/.well-known/api-catalog">API catalog</a> · <a href="/.well-known/x402">x402 resources</a>
      </p>
    </div>
  </footer>
`

const You = ({ owner }: Pick<Viewed, 'owner'>) => {
  if (owner === null) return html`<a href="/signin">Sign in</a>`
  if (owner === undefined) return html`<a href="/account">Account</a>`
  return html`<a href="/account" title=${owner}><span class="visually-hidden">Account </span><span class="who">${short(owner)}</span></a>`
}
