import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiUnreachable, readReceipts } from '../src/index.ts'

/** A Router that says that there is more, and returns the same page again. */
let data: readonly object[] = []
const server = createServer((_, res) => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, has_more: true }))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const read = async () => {
  const found: string[] = []
  for await (const jws of readReceipts(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key'))
    found.push(jws)
  return found
}

test.each([
  ['an empty page', []],
  ['the same receipts', [{ jws: 'one', receipt: { seq: 1 } }]],
  ['a receipt without a number', [{ jws: 'one', receipt: {} }]],
])('a Router that repeats %s is not asked without end', async (_what, page) => {
  data = page
  await expect(read()).rejects.toThrow(ApiUnreachable)
})
