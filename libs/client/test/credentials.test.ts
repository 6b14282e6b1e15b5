import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { expect, test } from 'vitest'
import { CredentialsFile } from '../src/credentials.ts'

const tokens = (n: number, expiresIn: number) => ({
  ...{ access_token: `access-${n}`, refresh_token: `refresh-${n}`, token_type: 'Bearer', expires_in: expiresIn },
  ...{ scope: 'mcp:call', owner_wallet: `0x${'1'.repeat(40)}` },
})

test('a refresh whose answer is lost is repeated at once, while the service still answers the same token', async () => {
  const asked: number[] = []
  const service = createServer((request, answer) => {
    asked.push(Date.now())
    if (asked.length === 1) return void request.socket.destroy()
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens(2, 3_600)))
  }).listen(0, '127.0.0.1')
  await until('the service listens', () => service.listening)
  const folder = temporaryFolder('callboard-credentials-')
  try {
    const file = new CredentialsFile(join(folder, 'link.json'))
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    file.keep(baseUrl, 'agent_0x1', tokens(1, 0) as Parameters<typeof file.keep>[2])
    expect(await file.accessToken()).toBe('access-2')
    expect(asked).toHaveLength(2)
    expect(file.read().refreshToken).toBe('refresh-2')
  } finally {
    service.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
