import { type ChainWatch, openChains } from '@callboard/evm'
import { type Caip2, evmNetwork } from '@callboard/values'
import type { Config } from './config.ts'
import { bloomTest } from './domain/bloom.ts'
import type { FollowedChain } from './followed-chain.ts'
import { Provider } from './rpc/provider.ts'
import { Providers } from './rpc/providers.ts'

/**
 * The chains of the settings, ready to be followed. Nothing is asked yet.
 * @throws Error naming a start block of a network that is not served
 */
export function followedChains(config: Config, watch: ChainWatch): readonly FollowedChain[] {
  const { chains } = openChains(config)
  const startBlocks = new Map(Object.entries(config.START_BLOCKS ?? {}))
  const local = config.DEVNET && evmNetwork(config.DEVNET.chainId)
  const idle = [...startBlocks.keys()].filter((network) => !chains.has(network as Caip2))
  if (idle.length > 0) throw new Error(`START_BLOCKS names ${idle.join(', ')}, which is not served`)
  return [...chains.values()].map((chain) => {
    const { network, chainId, usdc } = chain
    const urls = rpcUrls(config, network)
    const providers = urls.map((url, at) => {
      const endpoint = {
        url,
        timeoutMs: config.RPC_TIMEOUT_MS,
        maxResponseBytes: config.RPC_MAX_RESPONSE_BYTES,
        batchSize: config.RPC_BATCH_SIZE,
        network,
        around: watch.around,
      }
      return new Provider(at + 1, endpoint, { chainId, token: usdc.address }, watch.endpoint)
    })
    return {
      chain,
      providers: new Providers(providers),
      headsUrl: urls[0],
      mayHoldLogs: bloomTest(usdc.address),
      startBlock: startBlocks.get(network) ?? (network === local ? 0 : undefined),
    }
  })
}

/** A local chain's own endpoint comes first; others may stand beside it, where tests imitate a public chain. */
function rpcUrls({ DEVNET, RPC_URLS }: Config, network: Caip2): readonly string[] {
  const local = DEVNET && evmNetwork(DEVNET.chainId) === network ? [DEVNET.rpcUrl] : []
  return [...local, ...(RPC_URLS?.[network] ?? [])]
}
