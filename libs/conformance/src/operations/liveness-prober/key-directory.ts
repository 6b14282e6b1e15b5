import { createHash, createPublicKey, verify } from 'node:crypto'
import { livenessProber } from '@callboard/contract'
import { expect, test } from 'vitest'
import { type Answer, Client } from '../../actors/client.ts'
import { expectHead } from '../../expectations/aliases.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/.well-known/http-message-signatures-directory'
const { keyDirectory: operation } = livenessProber

const header = ({ headers }: Answer, name: string): string => headers.get(name) ?? ''

/** The members of a dictionary field (RFC 9651 §3.2) whose values hold no comma. */
const membersOf = (field: string): Map<string, string> =>
  new Map(
    field.split(', ').map((member) => [member.slice(0, member.indexOf('=')), member.slice(member.indexOf('=') + 1)]),
  )

export const keyDirectory: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('each key is named by its thumbprint, and signs the host and the body of the answer', async () => {
    const answer = await client().get(PATH)
    // An instance without a key signs nothing.
    if (answer.status === 404) return void refused(operation, answer, 404, 'not_found')
    const { keys } = accepted(operation, answer, operation.output.omit({ messageSignature: true }))
    const digest = createHash('sha256').update(answer.text).digest('base64')
    expect(header(answer, 'content-digest')).toBe(`sha-256=:${digest}:`)
    const inputs = [...membersOf(header(answer, 'signature-input'))]
    const signatures = membersOf(header(answer, 'signature'))
    expect(inputs).toHaveLength(keys.length)
    for (const [index, { kid, use, ...jwk }] of keys.entries()) {
      expect(createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')).toBe(kid)
      const [label, input = ''] = inputs[index] ?? []
      expect(input).toContain(`;keyid="${kid}"`)
      expect(input).toContain(';tag="http-message-signatures-directory"')
      const base = [
        `"@authority";req: ${new URL(target().baseUrl).host}`,
        `"content-digest": sha-256=:${digest}:`,
        `"@signature-params": ${input}`,
      ].join('\n')
      const signature = Buffer.from(signatures.get(label ?? '')?.slice(1, -1) ?? '', 'base64')
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      expect(verify(null, Buffer.from(base), key, signature), label).toBe(true)
    }
  })

  test('HEAD answers as GET does', () => expectHead(client(), PATH))

  test('400 names the field: it takes no parameters', async () => {
    refused(operation, await client().get(`${PATH}?a=1`), 400, 'invalid_request', 'a')
  })
}
