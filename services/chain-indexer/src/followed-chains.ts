import { type ChainWatch, openChains } from '@callboard/evm'
import { type Caip2, evmNetwork } from '@callboard/values'
import type { Config } from './config.ts'
import { bloomTest } from './domain/bloom.ts'
import {
  burnSource,
  identitySources,
  splitterSource,
  stakeSource,
  supplySource,
  tokenSource,
} from './domain/log-source.ts'
import { KNOWN_REGISTRIES, type Registries } from './domain/registries.ts'
import type { FollowedChain, TokenContracts } from './followed-chain.ts'
import { Provider } from './rpc/provider.ts'
import { Providers } from './rpc/providers.ts'

/** Settings by network; each network must be served. */
const BY_NETWORK = ['START_BLOCKS', 'STAKE_CONTRACTS', 'BURN_LEDGERS', 'SUPPLY_TOKENS', 'IDENTITY_REGISTRIES'] as const

/**
 * The configured chains, ready to be followed. Nothing is requested yet.
 * @throws Error that names a network of a setting that is not served
 */
export function followedChains(config: Config, watch: ChainWatch): readonly FollowedChain[] {
  const { chains } = openChains(config)
  for (const setting of BY_NETWORK) {
    const idle = Object.keys(config[setting] ?? {}).filter((network) => !chains.has(network as Caip2))
    if (idle.length > 0) throw new Error(`${setting} names ${idle.join(', ')}, which is not served`)
  }
  const local = config.DEVNET && evmNetwork(config.DEVNET.chainId)
  return [...chains.values()].map((chain) => {
    const { network, chainId, usdc } = chain
    const urls = rpcUrls(config, network)
    const contracts = { ...contractsOf(config, network), splitterFactory: chain.splitterFactory }
    const { stake, burns, splitterFactory, supply, registries } = contracts
    const sources = [
      tokenSource(usdc.address),
      ...(stake ? [stakeSource(stake)] : []),
      ...(burns ? [burnSource(burns.ledger)] : []),
      ...(splitterFactory ? [splitterSource(splitterFactory)] : []),
      ...(supply ? [supplySource(supply.token)] : []),
      ...(registries ? identitySources(registries) : []),
    ]
    const providers = urls.map((url, at) => {
      const endpoint = {
        url,
        timeoutMs: config.RPC_TIMEOUT_MS,
        maxResponseBytes: config.RPC_MAX_RESPONSE_BYTES,
        batchSize: config.RPC_BATCH_SIZE,
        network,
        around: watch.around,
      }
      return new Provider(at + 1, endpoint, { chainId, sources }, watch.endpoint)
    })
    return {
      ...{ chain, contracts, sources },
      providers: new Providers(providers),
      headsUrl: urls[0],
      mayHoldLogs: bloomTest(sources),
      startBlock: config.START_BLOCKS?.[network] ?? (network === local ? 0 : undefined),
    }
  })
}

/** A local chain's own endpoint comes first; others may follow, where tests imitate a public chain. */
function rpcUrls({ DEVNET, RPC_URLS }: Config, network: Caip2): readonly string[] {
  const local = DEVNET && evmNetwork(DEVNET.chainId) === network ? [DEVNET.rpcUrl] : []
  return [...local, ...(RPC_URLS?.[network] ?? [])]
}

/** Decimals of the local chain's stake token. */
const LOCAL_DECIMALS = 18

/** A setting takes precedence over what the local chain brings. */
function contractsOf(config: Config, network: Caip2): TokenContracts {
  const { DEVNET, STAKE_CONTRACTS, BURN_LEDGERS, SUPPLY_TOKENS } = config
  const {
    stake,
    stakeToken: token,
    burnLedger: ledger,
  } = DEVNET && evmNetwork(DEVNET.chainId) === network ? DEVNET : ({} as Partial<NonNullable<Config['DEVNET']>>)
  const local = ledger && token ? { ledger, token, decimals: LOCAL_DECIMALS } : undefined
  const supply = SUPPLY_TOKENS?.[network] ?? (token && { token, decimals: LOCAL_DECIMALS })
  const registries = registriesOf(config, network)
  return { supply, registries, stake: STAKE_CONTRACTS?.[network] ?? stake, burns: BURN_LEDGERS?.[network] ?? local }
}

/** The configured registries, even if null; else the local chain's own, or ERC-8004's list for a public chain. */
function registriesOf({ DEVNET, IDENTITY_REGISTRIES }: Config, network: Caip2): Registries | undefined {
  const named = IDENTITY_REGISTRIES?.[network]
  if (named !== undefined) return named ?? undefined
  if (!DEVNET || evmNetwork(DEVNET.chainId) !== network) return KNOWN_REGISTRIES[network]
  const { identityRegistry: identity, reputationRegistry: reputation } = DEVNET
  return identity && reputation && { identity, reputation }
}
