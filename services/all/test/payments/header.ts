import { request as httpRequest } from 'node:http'
import { authorize, fromHeader, newAccount, paymentPayload, toHeader } from '@callboard/conformance'
import { describe, expect, test } from 'vitest'
import type { Doors } from './doors.ts'

const json = { 'content-type': 'application/json' }

/** Unreadable payments, and what is asked for before anything is read. */
export const header = (doors: () => Doors) =>
  describe('the payment header', () => {
    const asked = () => doors().asked

    /** Sends header lines unchanged, which `fetch` would join. */
    const raw = (headers: Record<string, string | string[]>, body = '{}') =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const options = { method: 'POST', headers: { ...json, ...headers } }
        const request = httpRequest(`${doors().baseUrl}/x402/decode`, options, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        })
        request.on('error', reject)
        request.end(body)
      })

    const payment = async () => toHeader(paymentPayload(asked(), await authorize(newAccount(), asked())))
    const base64 = (text: string) => Buffer.from(text).toString('base64')

    test.each<[string, () => Promise<Record<string, string | string[]>>]>([
      ['two of them', async () => ({ 'payment-signature': [await payment(), await payment()] })],
      ['two joined in one line', async () => ({ 'payment-signature': `${await payment()}, ${await payment()}` })],
      ['one of each version', async () => ({ 'payment-signature': await payment(), 'x-payment': await payment() })],
      ['not base64', async () => ({ 'payment-signature': '{"x402Version":2}' })],
      ['base64 for URLs', async () => ({ 'payment-signature': Buffer.from('{"a":"??>"}').toString('base64url') })],
      ['empty', async () => ({ 'payment-signature': '' })],
      ['not JSON', async () => ({ 'payment-signature': base64('{"x402Version":2') })],
      ['not UTF-8', async () => ({ 'payment-signature': Buffer.from([0x7b, 0xff, 0x7d]).toString('base64') })],
      ['a key twice', async () => ({ 'payment-signature': base64('{"x402Version":2,"x402Version":2}') })],
      ['a member named __proto__', async () => ({ 'payment-signature': base64('{"x402Version":2,"__proto__":{}}') })],
      ['a number beyond 2^53', async () => ({ 'payment-signature': base64('{"x402Version":2,"a":9007199254740993}') })],
      ['nested 1,000 deep', async () => ({ 'payment-signature': base64(`${'['.repeat(1000)}${']'.repeat(1000)}`) })],
      ['version 1 in the header of version 2', async () => ({ 'payment-signature': toHeader({ x402Version: 1 }) })],
      ['40 KB of it', async () => ({ 'payment-signature': base64(' '.repeat(30_000)) })],
    ])('400 invalid_request: %s', async (_what, headers) => {
      const { status, text } = await raw(await headers())
      expect(status, text).toBe(400)
      expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request', field: expect.stringMatching(/PAYMENT/) })
    })

    test('431 headers_too_large: a header of 1 MB, and the next request is served', async () => {
      const answer = await raw({ 'payment-signature': 'a'.repeat(1024 * 1024) }).catch((error: Error) => error)
      if (answer instanceof Error) expect(answer).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
      else expect(answer.status).toBe(431)
      expect((await raw({})).status).toBe(402)
    })

    test.each([
      ['nothing', undefined, {}],
      ['a body that is no JSON', 'not json', json],
      ['a body of another media type', '<a/>', { 'content-type': 'text/xml' }],
      ['a body larger than is read', 'a'.repeat(1024 * 1024), json],
    ])('402 with the offer in body and header before the body is read: %s', async (_what, body, headers) => {
      const answer = await fetch(`${doors().baseUrl}/x402/decode`, {
        method: 'POST',
        headers: headers as Record<string, string>,
        ...(body === undefined ? {} : { body }),
      })
      expect(answer.status).toBe(402)
      const offer = (await answer.json()) as object
      expect(offer).toMatchObject({ x402Version: 2, accepts: [asked()] })
      expect(fromHeader(answer.headers.get('payment-required'))).toEqual(offer)
    })
  })
