import { routes } from '@callboard/contract'

/** The page at `/`: what this is, and every public way in, made from the contract. */
export function rootPage(baseUrl: string): string {
  const rows = routes()
    .filter(({ http }) => http.stability !== 'internal')
    .map(({ http, summary }) => `<tr><td><code>${http.method}</code><td><code>${http.path}</code><td>${summary}`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callboard</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem }
  td { padding: .2rem .8rem .2rem 0; vertical-align: top }
</style>
<h1>Callboard</h1>
<p>The open marketplace and payment rail for agents: a directory of APIs that are paid per call with x402 in USDC.
<p>This instance: <code>${baseUrl}</code>. For programs: <a href="/openapi.json">OpenAPI 3.1</a>,
<a href="/.well-known/api-catalog">API catalog</a>, <a href="/.well-known/x402">x402 resources</a>.
<table>
${rows}
</table>
`
}
