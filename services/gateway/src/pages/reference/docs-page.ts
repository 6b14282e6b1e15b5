import { pathParameters, refusalsOf, routes } from '@callboard/contract'
import { html } from 'htm/preact'
import { z } from 'zod'
import type { Route } from '../../context.ts'
import type { Page } from '../shell/document.ts'

const AUTH = {
  none: 'no credential',
  optional: 'bearer or none',
  bearer: 'bearer',
  agent: 'an agent’s access token',
  session: 'owner session',
  owner: 'owner session, API key or agent token',
  router_key: 'Router key',
  client: 'OAuth client',
} as const

const schemaText = (schema: z.ZodType, io: 'input' | 'output'): string => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return JSON.stringify(rest, null, 2)
}

const factsOf = ({ http }: Route): string[] => {
  const where = pathParameters(http.path)
  return [
    http.paid ? 'paid with x402' : AUTH[http.auth],
    ...(http.scope ? [`access tokens need the scope ${http.scope}`] : []),
    `limit class ${http.limit}`,
    `stability ${http.stability ?? 'stable'}`,
    ...(where.length > 0 ? [`${where.join(', ')} in the path`] : []),
    ...(http.aliases ?? []).map((alias) => `deprecated alias ${alias}`),
    `answers ${http.ok}`,
  ]
}

const Reference = ({ route }: { route: Route }) => html`<article id=${route.id}>
  <h2><code>${`${route.http.method} ${route.http.path}`}</code></h2>
  <p>${route.summary}.</p>
  <p class="meta"><code>${route.id}</code>, ${factsOf(route).join(', ')}.</p>
  <details>
    <summary>Input</summary>
    <pre tabindex="0">${schemaText(route.input, 'input')}</pre>
  </details>
  <details>
    <summary>Answer</summary>
    <pre tabindex="0">${schemaText(route.output, 'output')}</pre>
  </details>
  <details>
    <summary>Refusals</summary>
    <table>
      <thead>
        <tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr>
      </thead>
      <tbody>
        ${refusalsOf(route).map(
          ({ status, code, meaning }) =>
            html`<tr><td>${status}</td><td><code>${code}</code></td><td>${meaning}</td></tr>`,
        )}
      </tbody>
    </table>
  </details>
</article>`

const RouteRow = ({ route: { id, http, summary } }: { route: Route }) => html`<tr>
  <td><code>${http.method}</code></td>
  <td><a href=${`#${id}`}><code>${http.path}</code></a></td>
  <td>${summary}</td>
</tr>`

/** The reference at `/docs`, made from the contract: a table of public routes, then each with schemas and refusals. */
export function docsPage(): Page {
  const all = routes()
  return {
    status: 200,
    title: 'Reference',
    wide: true,
    body: html`
      <p class="lead">Every route of this service, as declared in its code.</p>
      <p>
        For programs: <a href="/openapi.json">OpenAPI 3.1</a> (to generate clients, use the${' '}
        <a href="/openapi.client.json">version without references in its paths</a>), <a href="/.well-known/api-catalog">API catalog</a>,${' '}
        <a href="/.well-known/x402">x402 resources</a>.
      </p>
      <table>
        <caption class="visually-hidden">Public routes</caption>
        <thead>
          <tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr>
        </thead>
        <tbody>
          ${all.filter(({ http }) => http.stability !== 'internal').map((route) => html`<${RouteRow} route=${route} />`)}
        </tbody>
      </table>
      ${all.map((route) => html`<${Reference} route=${route} />`)}
    `,
  }
}
