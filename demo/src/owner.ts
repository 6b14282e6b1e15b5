import { Api, oauth } from '@callboard/client'
import type { HDAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { Devnet } from './devnet.ts'
import { short, tell } from './narration.ts'

/** Signs in as an owner with an EIP-4361 message, makes an API key with the session, and signs out again. */
export async function signInAndMakeKey(devnet: Devnet, account: HDAccount): Promise<Api> {
  const asked = await new Api(devnet).call(oauth.siweNonce, { purpose: 'login' })
  const message = createSiweMessage({
    ...asked,
    address: account.address,
    version: '1',
    chainId: devnet.chainId,
    issuedAt: new Date(),
  })
  const signature = await account.signMessage({ message })
  const answer = await asBrowser(devnet, 'POST', '/api/auth/session', { body: { message, signature } })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  tell('The provider signs in as an owner with its wallet', account.address)

  const made = await asBrowser(devnet, 'POST', '/api/keys', { cookie, body: { label: 'demonstration' } })
  const { key } = (await made.json()) as { key: string }
  tell('and makes an API key, which is shown once', short(key))
  await asBrowser(devnet, 'DELETE', '/api/auth/session', { cookie })
  return new Api({ baseUrl: devnet.baseUrl, bearer: () => key })
}

/** Sends what a page of the instance would, for a session lives in a cookie. @throws Error naming the refusal */
async function asBrowser(
  { baseUrl }: Devnet,
  method: 'POST' | 'DELETE',
  path: string,
  { cookie, body }: { readonly cookie?: string; readonly body?: object },
): Promise<Response> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: {
      origin: baseUrl,
      ...(cookie ? { cookie } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
