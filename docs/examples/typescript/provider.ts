import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, http, parseAbi } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { accountOf, devnet } from './devnet.ts'

interface Splitter {
  readonly network: string
  readonly splitterAddress: `0x${string}`
  readonly deployed: boolean
  readonly deploy: { readonly to: `0x${string}`; readonly data: `0x${string}` }
}

const KEY_FILE = process.env.CALLBOARD_KEY_FILE ?? 'callboard.key'
const account = accountOf(4)
const chain = defineChain({
  id: devnet.chainId,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [devnet.rpcUrl] } },
})

async function ask(method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<Response> {
  const bearer: Record<string, string> = existsSync(KEY_FILE)
    ? { authorization: `Bearer ${readFileSync(KEY_FILE, 'utf8')}` }
    : {}
  const headers = { ...bearer, ...(body ? { 'content-type': 'application/json' } : {}), ...more }
  const answer = await fetch(devnet.baseUrl + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((cause: Error) => {
    throw new Error(`${devnet.baseUrl} does not answer. Is the instance running (npm start)?`, { cause })
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}
const get = async (path: string) => (await ask('GET', path)).json()
const post = async (path: string, body: object) => (await ask('POST', path, body)).json()

async function send(to: `0x${string}`, data: `0x${string}`): Promise<string> {
  const hash = await createWalletClient({ account, chain, transport: http() }).sendTransaction({ to, data })
  const receipt = await createPublicClient({ chain, transport: http() }).waitForTransactionReceipt({ hash })
  return `${hash} ${receipt.status}`
}

async function splitter(): Promise<Splitter> {
  const answer = await get(`/api/call/listings/splitters?wallet=${account.address}`)
  const states: Splitter[] = answer.networkStates
  const own = states.find(({ network }) => network === devnet.network)
  if (!own) throw new Error(`There is no splitter on ${devnet.network}.`)
  return own
}

/** Signs only what names this instance: a signature for another site would let in there who asked for it. */
async function sign(message: string): Promise<`0x${string}`> {
  const { domain } = parseSiweMessage(message)
  if (domain !== new URL(devnet.baseUrl).host) {
    throw new Error(`${devnet.baseUrl} asks for a signature for ${domain}. Nothing was signed.`)
  }
  return account.signMessage({ message })
}

const setStatus = (slug: string, action: string) => post(`/api/call/listings/${slug}/status`, { action })

const verbs: Record<string, (argument: string) => Promise<unknown>> = {
  async key() {
    const asked = await get('/api/auth/siwe-nonce?purpose=login')
    const message = createSiweMessage({ ...asked, address: account.address, version: '1', chainId: devnet.chainId })
    const signature = await sign(message)
    const session = await ask('POST', '/api/auth/session', { message, signature })
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const made = await ask('POST', '/api/keys', { label: 'laptop' }, { cookie, origin: devnet.baseUrl })
    writeFileSync(KEY_FILE, (await made.json()).key, { mode: 0o600 })
    return `kept in ${KEY_FILE}`
  },
  splitter: async () => (await splitter()).splitterAddress,
  probe: (url) => post('/api/call/listings/probe', { url, method: 'GET' }),
  async publish(url) {
    const { message } = await get(`/api/call/listings/payout-nonce?wallet=${account.address}`)
    const { listing } = await post('/api/call/listings', {
      name: 'Tide tables',
      description: 'High and low water for a port, a week ahead.',
      category: 'data',
      operations: [
        {
          method: 'GET',
          url,
          name: 'Tides',
          description: 'The tides of a port; give it as ?port=.',
          metadataEvidence: 'none',
        },
      ],
      payoutWallet: account.address,
      network: devnet.network,
      message,
      signature: await sign(message),
    })
    return `${listing.slug}: ${listing.status}`
  },
  async deploy() {
    const { deployed, deploy } = await splitter()
    return deployed ? 'stands already' : send(deploy.to, deploy.data)
  },
  activate: (slug) => setStatus(slug, 'activate'),
  verify: (slug) => setStatus(slug, 'request_verification'),
  async distribute() {
    const data = encodeFunctionData({ abi: parseAbi(['function distribute()']), functionName: 'distribute' })
    return send((await splitter()).splitterAddress, data)
  },
}

const [verb = '', argument = ''] = process.argv.slice(2)
const run = verbs[verb]
try {
  if (!run) throw new Error(`provider.ts takes one of ${Object.keys(verbs).join(', ')}`)
  console.log(await run(argument))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
