import { setTimeout as wait } from 'node:timers/promises'
import { fund, newAccount } from '@callboard/conformance/chain'
import { authorize, facilitatorRequest, type Requirement } from '@callboard/conformance/payment'
import type { Devnet } from '@callboard/conformance/target'
import { freePort } from '@callboard/embedded'
import { startInstance } from '../instance.ts'
import { CoverageSession } from './coverage-session.ts'

/** How many of our files one must read to follow one request. */
export interface RequestFiles {
  readonly request: string
  readonly files: number
}

type Ask = () => Promise<Response>

/** Long enough for jobs and consumers of an earlier request to end. */
const REST_MS = 1_000
/** Background work may run during a request; the least of this many measurements is the request's own. */
const LOOKS = 3
/** What a payment's block triggers during its request: the indexer, and the devnet that saves its state. */
const WOKEN = ['services/chain-indexer/', 'libs/embedded/']

/** Starts an instance and sends it one request after the other, each of which has been sent before. */
export async function filesPerRequest(): Promise<readonly RequestFiles[]> {
  const port = await freePort()
  const instance = await startInstance([`--inspect=127.0.0.1:${port}`])
  try {
    const asks = await requestsOf(instance.baseUrl, instance.devnet)
    const session = await CoverageSession.open(port)
    const measured: RequestFiles[] = []
    for (const [request, prepare] of asks) measured.push({ request, files: await leastFiles(session, prepare) })
    session.close()
    return measured
  } finally {
    await instance.stop(false)
  }
}

async function leastFiles(session: CoverageSession, prepare: () => Promise<Ask>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  await (await prepare())()
  for (let look = 0; look < LOOKS; look++) {
    const ask = await prepare()
    await wait(REST_MS)
    await session.ranFiles()
    const answer = await ask()
    const ran = [...(await session.ranFiles())]
    const files = ran.filter((path) => !WOKEN.some((prefix) => path.startsWith(prefix))).length
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
    least = Math.min(least, files)
  }
  return least
}

async function requestsOf(baseUrl: string, devnet: Devnet): Promise<readonly [string, () => Promise<Ask>][]> {
  const payer = newAccount()
  await fund(devnet, payer.address, { usdc: 1_000_000n })
  const asked: Requirement = {
    scheme: 'exact',
    network: devnet.network,
    asset: devnet.usdc.address,
    amount: '10000',
    payTo: newAccount().address,
    maxTimeoutSeconds: 300,
    extra: { name: devnet.usdc.name, version: devnet.usdc.version },
  }
  const get = (path: string) => async () => () => fetch(`${baseUrl}${path}`)
  const pay = (path: string) => async () => {
    const body = JSON.stringify(facilitatorRequest(asked, await authorize(payer, asked)))
    return () => fetch(`${baseUrl}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  return [
    ['GET /api/calls/search?q=weather', get('/api/calls/search?q=weather')],
    ['POST /x402/verify', pay('/x402/verify')],
    ['POST /x402/settle', pay('/x402/settle')],
  ]
}
