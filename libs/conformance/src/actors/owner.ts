import { createSiweMessage } from 'viem/siwe'
import type { Target } from '../target.ts'
import { type LocalAccount, newAccount } from './chain.ts'
import { type Answer, Client } from './client.ts'
import { perTarget } from './per-target.ts'

/** An owner with a browser session and a program's API key. */
export interface Owner {
  readonly account: LocalAccount
  /** Sends the session cookie and our own `Origin`. */
  readonly session: Client
  /** Sends an API key as a bearer credential. */
  readonly api: Client
}

export interface Asked {
  readonly nonce: string
  readonly statement: string
  readonly domain: string
  readonly uri: string
}

/** Fetches what the EIP-4361 message of a purpose must contain. */
export const askNonce = async (client: Client, purpose: string): Promise<Asked> =>
  (await client.get(`/api/auth/siwe-nonce?purpose=${purpose}`)).json() as Asked

/** The requested EIP-4361 message, and the account's signature of it. */
export async function signSiwe(account: LocalAccount, asked: Asked, chainId: number) {
  const { nonce, statement, domain, uri } = asked
  const message = createSiweMessage({
    nonce,
    statement,
    domain,
    uri,
    address: account.address,
    version: '1',
    chainId,
    issuedAt: new Date(),
  })
  return { message, signature: await account.signMessage({ message }) }
}

/** A chain whose wallets may sign in: the devnet, or the first one on which the facilitator settles. */
export async function chainIdOf({ baseUrl, devnet }: Target): Promise<number> {
  if (devnet) return devnet.chainId
  const { kinds } = (await new Client(baseUrl).get('/x402/supported')).json() as { kinds: { network: string }[] }
  const eip155 = kinds.find(({ network }) => network.startsWith('eip155:'))
  return Number(eip155?.network.slice('eip155:'.length))
}

/** Presents a login message. @returns the answer, whether success or not */
export async function presentLogin(target: Target, account: LocalAccount): Promise<Answer> {
  const client = new Client(target.baseUrl)
  const asked = await askNonce(client, 'login')
  return client.post('/api/auth/session', await signSiwe(account, asked, await chainIdOf(target)))
}

/** The session cookie of a sign-in, as a request sends it back. */
export const cookieOf = ({ headers }: Answer): string => headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** An owner without listings, shared by a run. */
export const visitorOf = perTarget((target) => newOwner(target))

/** Signs in with a fresh wallet, and creates an API key. */
export async function newOwner(target: Target, account: LocalAccount = newAccount()): Promise<Owner> {
  const signedIn = await presentLogin(target, account)
  if (signedIn.status !== 200) throw new Error(`The sign-in answered ${signedIn.status}: ${signedIn.text}`)
  const cookie = cookieOf(signedIn)
  const session = new Client(target.baseUrl, { cookie, origin: new URL(target.baseUrl).origin })
  const made = await session.post('/api/keys', { label: 'conformance' })
  if (made.status !== 201) throw new Error(`The key answered ${made.status}: ${made.text}`)
  const { key } = made.json() as { key: string }
  return { account, session, api: new Client(target.baseUrl, { authorization: `Bearer ${key}` }) }
}
