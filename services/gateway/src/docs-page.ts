import { pathParameters, refusalsOf, routes } from '@callboard/contract'
import { z } from 'zod'
import type { Route } from './kit.ts'
import { escapeHtml, page } from './page.ts'

const AUTH = {
  none: 'no credential',
  optional: 'bearer or none',
  bearer: 'bearer',
  agent: 'an agent’s access token',
  session: 'owner session',
  client: 'OAuth client',
} as const

const schemaText = (schema: z.ZodType, io: 'input' | 'output'): string => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return escapeHtml(JSON.stringify(rest, null, 2))
}

function article(route: Route): string {
  const { id, http, summary, input, output } = route
  const where = pathParameters(http.path)
  const facts = [
    http.paid ? 'paid with x402' : AUTH[http.auth],
    ...(http.scope ? [`access tokens need the scope <code>${http.scope}</code>`] : []),
    `limit class ${http.limit}`,
    `stability ${http.stability ?? 'stable'}`,
    ...(where.length > 0 ? [`${where.join(', ')} in the path`] : []),
    ...(http.aliases ?? []).map((alias) => `deprecated alias <code>${alias}</code>`),
  ]
  const refusals = refusalsOf(route).map(
    ({ status, code, meaning }) => `<tr><td>${status}<td><code>${code}</code><td>${escapeHtml(meaning)}`,
  )
  return `<article id="${id}">
<h2><code>${http.method} ${http.path}</code></h2>
<p>${escapeHtml(summary)}. <small><code>${id}</code>, ${facts.join(', ')}, answers ${http.ok}.</small>
<details><summary>Input</summary><pre>${schemaText(input, 'input')}</pre></details>
<details><summary>Answer</summary><pre>${schemaText(output, 'output')}</pre></details>
<details><summary>Refusals</summary><table>${refusals.join('\n')}</table></details>
</article>`
}

/** The reference at `/docs`: every route with its schemas and refusals, made from the contract. */
export const docsPage = (): string =>
  page('Callboard: reference', `<h1>Callboard: reference</h1>\n${routes().map(article).join('\n')}`)
