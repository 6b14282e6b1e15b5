import { Api, oauth } from '@callboard/client'
import type { HDAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { Devnet } from './devnet.ts'
import { short, tell } from './narration.ts'

/** A signed-in owner, who sends requests as a page of the instance does: the session is in a cookie. */
export interface OwnerSession {
  /** @throws Error naming the refusal */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Response>
  /** The headers that authenticate a request as the session's, for clients that send their own requests. */
  readonly headers: Readonly<Record<string, string>>
  end(): Promise<void>
}

/** Signs in with an EIP-4361 message. */
export async function signIn({ baseUrl, ...devnet }: Devnet, account: HDAccount): Promise<OwnerSession> {
  const asked = await new Api({ baseUrl }).call(oauth.siweNonce, { purpose: 'login' })
  const { address } = account
  const { chainId } = devnet
  const message = createSiweMessage({ ...asked, address, version: '1', chainId, issuedAt: new Date() })
  const signature = await account.signMessage({ message })
  const headers: Record<string, string> = { origin: baseUrl }
  const send: OwnerSession['send'] = async (method, path, body) => {
    const asJson = body
      ? { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers }
    const answer = await fetch(baseUrl + path, { method, ...asJson })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const answer = await send('POST', '/api/auth/session', { message, signature })
  headers.cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const end = async () => {
    await send('DELETE', '/api/auth/session')
  }
  return { send, headers, end }
}

/** Signs in as an owner, creates an API key with the session, and signs out again. */
export async function signInAndMakeKey(devnet: Devnet, account: HDAccount): Promise<Api> {
  const session = await signIn(devnet, account)
  tell('The provider signs in as an owner with its wallet', account.address)
  const made = await session.send('POST', '/api/keys', { label: 'demonstration' })
  const { key } = (await made.json()) as { key: string }
  tell('and makes an API key, which is shown once', short(key))
  await session.end()
  return new Api({ baseUrl: devnet.baseUrl, bearer: () => key })
}
