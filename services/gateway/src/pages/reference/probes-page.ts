import { FINDINGS, type FindingDeclaration } from '@callboard/contract'
import { ISSUE_WORDS, REASON_WORDS, type Words } from '@callboard/x402'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'

const Row = ({
  code,
  words,
  anchor,
}: {
  code: string
  words: Words & { state?: string }
  anchor?: string
}) => html`<tr id=${anchor}>
  <th scope="row"><code>${code}</code></th>
  <td>${words.message}${words.state && html`<br /><span class="meta">state <code>${words.state}</code></span>`}</td>
  <td>${words.mend}</td>
</tr>`

interface TableProps {
  readonly caption: string
  readonly rows: readonly (readonly [string, Words & { state?: string }])[]
  /** Whether answers link to the rows by code. */
  readonly linked?: boolean
}

const Table = ({ caption, rows, linked = false }: TableProps) => html`
  <h2>${caption}</h2>
  <table>
    <thead>
      <tr><th scope="col">Code</th><th scope="col">What was found</th><th scope="col">How to fix it</th></tr>
    </thead>
    <tbody>
      ${rows.map(([code, words]) => html`<${Row} code=${code} words=${words} anchor=${linked ? code : undefined} />`)}
    </tbody>
  </table>
`

/** Everything that a probe can find, at `/docs/probes`: answers link to its rows. */
export function probesPage(): Page {
  const findings: [string, FindingDeclaration][] = Object.entries(FINDINGS)
  return {
    status: 200,
    title: 'Probes',
    wide: true,
    body: html`
      <p class="lead">What a probe of an endpoint can find, and how to fix it.</p>
      <${Table} caption="Findings" rows=${findings} linked />
      <${Table} caption="Issues with an offer" rows=${Object.entries(ISSUE_WORDS)} linked />
      <${Table} caption="Reasons why an entry cannot be paid" rows=${Object.entries(REASON_WORDS)} />
    `,
  }
}
