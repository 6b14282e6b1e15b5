import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { FAVICON_PATH } from '../paths.ts'
import { Frame, type Viewed } from './frame.ts'
import { STYLE_SOURCE, STYLESHEET } from './stylesheet.ts'

/** A page to be sent. */
export interface Page {
  readonly status: number
  readonly title: string
  readonly body: ComponentChildren
  /** The path of the only script that it runs; none if absent. */
  readonly script?: string
  /** Has a form whose POST must name our origin, which browsers omit under `no-referrer`. */
  readonly posts?: true
  /** Where the answer to its form may redirect besides our own origin: an origin, or a scheme with its colon. */
  readonly redirectsTo?: string
  readonly retryAfterSeconds?: number
  /** A wallet may answer from a window that it opened; the opener of this page stays isolated nevertheless. */
  readonly opensWallets?: true
  /** Has more than one column of text. */
  readonly wide?: true
}

/** Renders a page as a complete document with one heading, the first part of its title. The renderer escapes text. */
export function documentOf({ title, body, script, wide }: Page, viewed: Viewed): string {
  const tree = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title === 'Callboard' ? title : `${title} · Callboard`}</title>
      <link rel="icon" type="image/svg+xml" href=${FAVICON_PATH} />
      <style dangerouslySetInnerHTML=${{ __html: STYLESHEET }} />
      ${script && html`<script type="module" src=${script} />`}
    </head>
    <body>
      <${Frame} ...${viewed} wide=${wide}>
        <h1>${title}</h1>
        ${body}
      <//>
    </body>
  </html>`
  return `<!doctype html>${renderToString(tree)}`
}

/** What a page may do: display itself, send its form to us and, if it has a script, run that and talk to us. */
export const policyOf = ({ script, redirectsTo }: Pick<Page, 'script' | 'redirectsTo'>): string =>
  [
    "default-src 'none'",
    `script-src ${script ? "'self'" : "'none'"}`,
    `connect-src ${script ? "'self'" : "'none'"}`,
    `style-src ${STYLE_SOURCE}`,
    // Wallets announce their icons as data.
    `img-src 'self'${script ? ' data:' : ''}`,
    // Browsers also check the redirect that answers a form against this.
    `form-action 'self'${redirectsTo ? ` ${redirectsTo}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
