import { fund, type LocalAccount, newAccount, sendAndWait } from '@callboard/conformance/chain'
import type { Answer, Client } from '@callboard/conformance/client'
import { newOwner } from '@callboard/conformance/owner'
import type { Target } from '@callboard/conformance/target'
import type { ListingRecord, NetworkState } from '@callboard/contract'
import { startExpressSeller } from '../../../libs/conformance/src/sellers/sellers.ts'

/** A provider with a paid endpoint for each of its listings, on the stock `@x402/express`. */
export interface ListingSeller {
  readonly api: Client
  readonly urls: readonly string[]
  /** Publishes a draft. @returns its slug */
  publish(name: string, url: string): Promise<string>
  close(): Promise<void>
}

/** A provider with a deployed splitter, and endpoints that ask for one cent. */
export async function startSeller(target: Target, count: number): Promise<ListingSeller> {
  const { devnet } = target
  if (!devnet) throw new Error('A seller settles on the devnet of its target')
  const wallet = newAccount()
  await fund(devnet, wallet.address, { wei: 10n ** 18n })
  const { api } = await newOwner(target, wallet)
  const states = read<{ networkStates: NetworkState[] }>(
    await api.get(`/api/call/listings/splitters?wallet=${wallet.address}`),
  )
  const splitter = states.networkStates.find(({ network }) => network === devnet.network)
  if (!splitter) throw new Error(`${devnet.network} takes no listings`)
  const { to, data, value } = splitter.deploy
  await sendAndWait(devnet, wallet, { to, data: data as `0x${string}`, value: BigInt(value) })
  const paths = Array.from({ length: count }, (_, at) => `/call-${at}` as const)
  const seller = await startExpressSeller(
    target,
    paths.map((path) => ({
      ...{ method: 'GET' as const, path, amount: '10000', description: 'A call' },
      payTo: splitter.splitterAddress,
    })),
  )
  return {
    api,
    urls: paths.map((path) => seller.url(path)),
    publish: async (name, url) => {
      const body = {
        ...{ name, description: `${name} of the bench`, category: 'data', network: devnet.network },
        operations: [{ method: 'GET', url, name: 'Ask' }],
        ...{ payoutWallet: wallet.address, ...(await payoutProof(api, wallet)) },
      }
      return read<{ listing: ListingRecord }>(await api.post('/api/call/listings', body)).listing.slug
    },
    close: () => seller.close(),
  }
}

/** The content of an answer. @throws Error where it is a refusal */
export function read<Body>(answer: Answer): Body {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json() as Body
}

async function payoutProof(api: Client, wallet: LocalAccount) {
  const { message } = read<{ message: string }>(
    await api.get(`/api/call/listings/payout-nonce?wallet=${wallet.address}`),
  )
  return { message, signature: await wallet.signMessage({ message }) }
}
