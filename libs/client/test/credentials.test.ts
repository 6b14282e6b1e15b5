import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { expect, onTestFinished, test } from 'vitest'
import { CredentialsFile, NotLinked } from '../src/credentials.ts'

const tokens = (n: number, expiresIn: number) => ({
  ...{ access_token: `access-${n}`, refresh_token: `refresh-${n}`, token_type: 'Bearer', expires_in: expiresIn },
  ...{ scope: 'mcp:call', owner_wallet: `0x${'1'.repeat(40)}` },
})

/** Credentials that have expired, and the service that refreshes them. */
async function expired(answered: (asked: number, request: IncomingMessage, answer: ServerResponse) => void) {
  let asked = 0
  const service = createServer((request, answer) => {
    asked += 1
    answered(asked, request, answer.setHeader('content-type', 'application/json'))
  }).listen(0, '127.0.0.1')
  const folder = temporaryFolder('callboard-credentials-')
  onTestFinished(() => {
    service.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await until('the service listens', () => service.listening)
  const file = new CredentialsFile(join(folder, 'link.json'))
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  file.keep(baseUrl, 'agent_0x1', tokens(1, 0) as Parameters<typeof file.keep>[2])
  return { file, asked: () => asked }
}

test('a refresh whose answer is lost is repeated at once, while the service still answers the same token', async () => {
  const { file, asked } = await expired((count, request, answer) => {
    if (count === 1) request.socket.destroy()
    else answer.end(JSON.stringify(tokens(2, 3_600)))
  })
  expect(await file.accessToken()).toBe('access-2')
  expect(asked()).toBe(2)
  expect(file.read().refreshToken).toBe('refresh-2')
})

test('a refresh that names another owner is refused: transfers to the owner have no limit', async () => {
  const another = { ...tokens(2, 3_600), owner_wallet: `0x${'2'.repeat(40)}` }
  const { file } = await expired((_count, _request, answer) => answer.end(JSON.stringify(another)))
  await expect(file.accessToken()).rejects.toBeInstanceOf(NotLinked)
  expect(file.read()).toMatchObject({ owner: tokens(1, 0).owner_wallet, accessToken: 'access-1' })
})
