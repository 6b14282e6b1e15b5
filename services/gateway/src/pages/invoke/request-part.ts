import type { InvokedCall } from '@callboard/contract'
import { html } from 'htm/preact'
import { jsonShown, type Member, membersOf } from './json-shown.ts'

type Request = InvokedCall['request']

const TAKES_BODY: readonly string[] = ['POST', 'PUT', 'PATCH']

/** What to send and what comes back, as far as the listing has it. */
export const RequestPart = ({ request }: { request: Request }) => {
  const { method, inputSchema, outputSchema, sampleInput } = request
  const members = inputSchema ? membersOf(inputSchema) : []
  const where = TAKES_BODY.includes(method) ? 'a JSON body' : 'query parameters'
  return html`
    <h2>What to send</h2>
    ${
      inputSchema === null && sampleInput === null
        ? html`<p>The listing holds no description of the request. The seller’s own documents may have one.</p>`
        : html`<p>The call takes ${where}. What is said of it here is the seller’s description.</p>`
    }
    ${members.length > 0 && html`<${Members} members=${members} />`}
    ${sampleInput !== null && html`<p>An example, which the texts below send:</p><${Json} value=${sampleInput} />`}
    ${inputSchema && html`<${Schema} of="the request" schema=${inputSchema} />`}
    ${outputSchema && html`<${Schema} of="the answer" schema=${outputSchema} />`}
  `
}

const Members = ({ members }: { members: readonly Member[] }) => html`
  <table>
    <thead>
      <tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">What it is</th></tr>
    </thead>
    <tbody>
      ${members.map(
        ({ name, type, isRequired, description }) => html`<tr>
          <th scope="row"><code>${name}</code></th>
          <td>${type}${isRequired && ', required'}</td>
          <td>${description}</td>
        </tr>`,
      )}
    </tbody>
  </table>
`

const Schema = ({ of, schema }: { of: string; schema: object }) => html`
  <details>
    <summary>JSON Schema of ${of}</summary>
    <${Json} value=${schema} />
  </details>
`

const Json = ({ value }: { value: unknown }) => {
  const text = jsonShown(value)
  return text === undefined
    ? html`<p>It is too long for this page, and in the listing as JSON.</p>`
    : html`<pre>${text}</pre>`
}
