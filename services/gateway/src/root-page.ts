import { routes } from '@callboard/contract'
import { escapeHtml, page } from './page.ts'

/** The page at `/`: what this is, and every public way in, made from the contract. */
export function rootPage(baseUrl: string): string {
  const rows = routes()
    .filter(({ http }) => http.stability !== 'internal')
    .map(({ id, http, summary }) => {
      const link = `<a href="/docs#${id}"><code>${http.path}</code></a>`
      return `<tr><td><code>${http.method}</code><td>${link}<td>${escapeHtml(summary)}`
    })
  return page(
    'Callboard',
    `<h1>Callboard</h1>
<p>The open marketplace and payment rail for agents: a directory of APIs that are paid per call with x402 in USDC.
<p>This instance: <code>${escapeHtml(baseUrl)}</code>. For people: <a href="/docs">reference</a>. For programs:
<a href="/openapi.json">OpenAPI 3.1</a>, <a href="/.well-known/api-catalog">API catalog</a>,
<a href="/.well-known/x402">x402 resources</a>.
<table>
${rows.join('\n')}
</table>`,
  )
}
