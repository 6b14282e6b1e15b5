import type { Address, Caip2, Hex } from '@callboard/values'
import { getAddress, type PublicClient, slice, toHex } from 'viem'
import * as artifacts from './artifacts.generated.ts'
import { type ChainSet, chainOf } from './chain-set.ts'
import { type ChainClients, clientOf } from './client.ts'
import { immutablesOf, runtimeCode } from './runtime-code.ts'
import { SPLITTER_FEE_BP, splitterImplementation } from './splitter.ts'
import { hasSplitters, type SplitterChain } from './splitter-state.ts'

/** The values with which a factory is compared. */
export interface FactoryTerms extends Pick<SplitterChain, 'splitterFactory' | 'splitterTreasury'> {
  readonly usdc: { readonly address: Address }
}

/**
 * Describes what is wrong with a chain's splitter factory, for its operator; undefined when it is ours: its code and
 * its implementation's are our artefacts byte for byte, with the chain's USDC, the configured treasury and the
 * network's fee. Code is compared instead of calling views: a foreign contract may return anything.
 * @param client one whose transport batches sends both reads in one request
 * @throws viem's errors when the node cannot be read
 */
export async function splitterFactoryFault(
  client: Pick<PublicClient, 'getCode'>,
  { splitterFactory: factory, splitterTreasury, usdc }: FactoryTerms,
): Promise<string | undefined> {
  const implementation = splitterImplementation(factory)
  const [factoryCode, implementationCode] = await Promise.all([
    client.getCode({ address: factory }),
    client.getCode({ address: implementation }),
  ])
  if (!factoryCode) return `there is no contract at ${factory}`
  if (factoryCode.toLowerCase() !== runtimeCode(artifacts.splitterFactory, { implementation }))
    return `the code at ${factory} is not our splitter factory`
  const found = immutablesOf(artifacts.feeSplitter, implementationCode)
  if (!found) return `the implementation ${implementation} of factory ${factory} is not our fee splitter`
  const differing = Object.entries({
    usdc: usdc.address,
    ...(splitterTreasury && { treasury: splitterTreasury }),
    feeBp: toHex(SPLITTER_FEE_BP),
    self: implementation,
  }).find(([name, value]) => BigInt(found[name] ?? 0) !== BigInt(value))
  if (!differing) return undefined
  const [name, wanted] = differing
  return `${name}() of factory ${factory} is ${shown(name, found[name] ?? '0x')}, and the settings say ${shown(name, wanted)}`
}

const shown = (name: string, value: Hex): string =>
  name === 'feeBp' ? String(BigInt(value)) : getAddress(addressOf(value))

const addressOf = (value: Hex): Address => (value.length === 42 ? value : slice(value, 12))

/** The verdict on a factory. `unknown`: its chain could not be asked yet. */
export type FactoryVerdict =
  | { readonly state: 'ours' }
  | { readonly state: 'other'; readonly fault: string }
  | { readonly state: 'unknown'; readonly cause: unknown }

/** A factory that is not ours is checked again after this time: an operator may have fixed it. */
const ASK_AGAIN_MS = 30_000

/**
 * The splitter factories of a run. Where one is not ours, no address derived from it may be given out: no account could
 * pay out money sent there. A factory that was found to be ours stays so, since code does not change; one that was not,
 * or that could not be checked, is asked about again.
 */
export class SplitterFactories {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #onVerdict: (network: Caip2, verdict: FactoryVerdict) => void
  readonly #asked = new Map<Caip2, { readonly until: number; readonly verdict: Promise<FactoryVerdict> }>()
  readonly #last = new Map<Caip2, FactoryVerdict>()

  /** @param onVerdict receives each new verdict: for a log, a gauge */
  constructor(
    chains: ChainSet,
    clients: ChainClients,
    onVerdict: (network: Caip2, verdict: FactoryVerdict) => void = () => {},
  ) {
    this.#chains = chains
    this.#clients = clients
    this.#onVerdict = onVerdict
  }

  /** The networks that have a configured factory. */
  get networks(): readonly Caip2[] {
    return [...this.#chains.values()].filter(hasSplitters).map(({ network }) => network)
  }

  /** The latest verdict, without asking; undefined before the first. */
  last(network: Caip2): FactoryVerdict | undefined {
    return this.#last.get(network)
  }

  /** The current verdict on the factory of a network that has one. Never throws for a chain that cannot be asked. */
  verdict(network: Caip2): Promise<FactoryVerdict> {
    const asked = this.#asked.get(network)
    if (asked && asked.until > performance.now()) return asked.verdict
    const verdict = this.#ask(network)
    this.#asked.set(network, { until: performance.now() + ASK_AGAIN_MS, verdict })
    return verdict
  }

  async #ask(network: Caip2): Promise<FactoryVerdict> {
    const chain = chainOf(this.#chains, network)
    if (!hasSplitters(chain)) throw new Error(`${network} has no splitter factory`)
    const verdict = await splitterFactoryFault(clientOf(this.#clients, network), chain).then<
      FactoryVerdict,
      FactoryVerdict
    >(
      (fault) => (fault === undefined ? { state: 'ours' } : { state: 'other', fault }),
      (cause: unknown) => ({ state: 'unknown', cause }),
    )
    const until = { ours: Number.POSITIVE_INFINITY, other: performance.now() + ASK_AGAIN_MS, unknown: 0 }[verdict.state]
    this.#asked.set(network, { until, verdict: Promise.resolve(verdict) })
    this.#last.set(network, verdict)
    this.#onVerdict(network, verdict)
    return verdict
  }
}
