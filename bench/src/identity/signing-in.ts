import { newAccount } from '@callboard/conformance/chain'
import { Client } from '@callboard/conformance/client'
import { askNonce, chainIdOf, signSiwe } from '@callboard/conformance/owner'
import type { Target } from '@callboard/conformance/target'
import { closedLoop, inParallel, type Load } from './closed-loop.ts'
import type { Peer } from './peers.ts'

const SIGN_INS = 2_000
const AT_ONCE = 16

interface Signed {
  readonly message: string
  readonly signature: string
}

async function signedBy(ask: () => Promise<Parameters<typeof signSiwe>[1]>, chainId: number): Promise<Signed[]> {
  const account = newAccount()
  const signed: Signed[] = []
  await inParallel(
    Array.from({ length: SIGN_INS }),
    async () => signed.push(await signSiwe(account, await ask(), chainId)),
    8,
  )
  return signed
}

/** Presents messages signed beforehand, as signing is the wallet’s work. */
function presented(url: string, signed: readonly Signed[], pids: readonly number[]): Promise<Load> {
  const present = async (body: Signed) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  }
  return closedLoop(signed, present, { atOnce: AT_ONCE, pids })
}

export async function signInAtOurs(target: Target, pids: readonly number[]): Promise<Load> {
  const client = new Client(target.baseUrl)
  const signed = await signedBy(() => askNonce(client, 'login'), await chainIdOf(target))
  return presented(`${target.baseUrl}/api/auth/session`, signed, pids)
}

export async function signInAtPeer({ url, pid }: Peer): Promise<Load> {
  const { host: domain, origin: uri } = new URL(url)
  const signed = await signedBy(async () => {
    const { nonce } = (await (await fetch(`${url}/nonce`)).json()) as { nonce: string }
    return { nonce, domain, uri, statement: 'Sign in.' }
  }, 31_337)
  return presented(`${url}/session`, signed, [pid])
}
