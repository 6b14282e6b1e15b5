import type { HDAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { Api } from './api.ts'
import type { Devnet } from './devnet.ts'
import { short, tell } from './narration.ts'

interface NonceAnswer {
  readonly nonce: string
  readonly statement: string
  readonly domain: string
  readonly uri: string
}

/** Signs in as an owner with an EIP-4361 message, makes an API key with the session, and signs out again. */
export async function signInAndMakeKey(devnet: Devnet, account: HDAccount): Promise<Api> {
  const api = new Api(devnet.baseUrl)
  const asked = await api.get<NonceAnswer>('/api/auth/siwe-nonce?purpose=login')
  const message = createSiweMessage({
    ...asked,
    address: account.address,
    version: '1',
    chainId: devnet.chainId,
    issuedAt: new Date(),
  })
  const signature = await account.signMessage({ message })
  const answer = await api.send('POST', '/api/auth/session', { message, signature })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  tell('The provider signs in as an owner with its wallet', account.address)

  const session = api.with({ cookie, origin: devnet.baseUrl })
  const { key } = await session.post<{ key: string }>('/api/keys', { label: 'demonstration' })
  tell('and makes an API key, which is shown once', short(key))
  await session.send('DELETE', '/api/auth/session')
  return api.with({ authorization: `Bearer ${key}` })
}
