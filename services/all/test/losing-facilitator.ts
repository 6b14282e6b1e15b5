import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '@callboard/testkit/folder'
import { onTestFinished } from 'vitest'
import type { Instance } from './instance.ts'

/** The ways in which a proxy loses an answer. */
export const LOSSES: readonly ((answer: ServerResponse, said: string) => void)[] = [
  (answer) => answer.destroy(),
  (answer, said) => {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': said.length })
    answer.write(said.slice(0, -1), () => answer.destroy())
  },
  (answer) => answer.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Forbidden</h1>'),
]

/** The instance's facilitator, behind a proxy that loses its first answers to `settle`. @returns its URL */
export async function losingFacilitator({ devnet }: Instance): Promise<string> {
  const losses = [...LOSSES]
  const proxy = createServer(async (request, answer) => {
    const body = await text(request)
    const given = await fetch(`${devnet.facilitatorUrl}${request.url}`, {
      method: request.method ?? 'GET',
      ...(body ? { headers: { 'content-type': 'application/json' }, body } : {}),
    })
    const said = await given.text()
    const lose = request.url === '/settle' ? losses.shift() : undefined
    if (lose) return lose(answer, said)
    answer.writeHead(given.status, { 'content-type': 'application/json' }).end(said)
  })
  onTestFinished(() => void proxy.close())
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

/** The environment of a program that goes to other addresses than the instance's. */
export function devnetWith({ devnet }: Instance, other: Partial<Instance['devnet']>): { CALLBOARD_DEVNET: string } {
  const CALLBOARD_DEVNET = join(temporaryFolder('callboard-devnet-'), 'devnet.json')
  writeFileSync(CALLBOARD_DEVNET, JSON.stringify({ ...devnet, ...other }))
  return { CALLBOARD_DEVNET }
}
