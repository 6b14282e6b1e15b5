import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/support/reports'
const report = { kind: 'bug', message: 'The conformance suite says that all is well.' }

export const submitReport: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('201: a report is accepted without a credential, and the answer says when it is deleted', async () => {
    const { id, expiresAt } = accepted(catalog.submitReport, await client().post(PATH, report))
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  })

  test('400 names the field: unknown or invalid values, a message too long or not printable text', async () => {
    for (const [body, field] of [
      [{ ...report, kind: 'praise' }, 'kind'],
      [{ ...report, message: '' }, 'message'],
      [{ ...report, message: 'a'.repeat(2_001) }, 'message'],
      [{ ...report, message: 'Turned \u202etxt' }, 'message'],
      [{ ...report, slug: 'No Slug' }, 'slug'],
      [{ ...report, operation: 'everything' }, 'operation'],
      [{ ...report, code: 'Not a code' }, 'code'],
      [{ ...report, requestId: '1' }, 'requestId'],
      [{ ...report, address: '203.0.113.7' }, 'address'],
    ] as const) {
      refused(catalog.submitReport, await client().post(PATH, body), 400, 'invalid_request', field)
    }
  })
}
