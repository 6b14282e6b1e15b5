import { type Devnet, reader } from './devnet.ts'

interface Supported {
  readonly kinds: readonly { readonly network: string; readonly extra?: { readonly genesisHash?: string } }[]
}

const PATIENCE_MS = 10_000

/**
 * Makes sure that we are about to pay on the chain that the instance reads: every devnet has the same id, accounts and
 * contracts, so a payment meant for one is valid on another. They differ in their first block.
 * @throws Error that says what to do when they differ, or when one of them does not answer
 */
export async function requireSameChain(devnet: Devnet): Promise<void> {
  const [ofInstance, ofChain] = await Promise.all([genesisOfInstance(devnet), genesisOfChain(devnet)])
  if (ofInstance === ofChain) return
  throw new Error(
    `The instance at ${devnet.baseUrl} settles on another ${devnet.network} than the one at ${devnet.rpcUrl}, which stands ` +
      'beside it in devnet.json; nothing was paid. Set CALLBOARD_DATA to the data folder of the instance that runs, or ' +
      'start the one of this folder.',
  )
}

async function genesisOfInstance({ baseUrl, facilitatorUrl, network }: Devnet): Promise<string> {
  const answer = await asking(`The instance at ${baseUrl}`, () =>
    fetch(`${facilitatorUrl}/supported`, { signal: AbortSignal.timeout(PATIENCE_MS) }),
  )
  const { kinds } = (await answer.json()) as Supported
  const genesis = kinds.find((kind) => kind.network === network)?.extra?.genesisHash
  if (!genesis)
    throw new Error(`The instance at ${baseUrl} does not say which ${network} it settles on; nothing was paid.`)
  return genesis
}

async function genesisOfChain(devnet: Devnet): Promise<string> {
  const { hash } = await asking(`The chain at ${devnet.rpcUrl}`, () => reader(devnet).getBlock({ blockNumber: 0n }))
  return hash
}

async function asking<Answer>(whom: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw new Error(`${whom}, which devnet.json names, does not answer: start it with npm start.`, { cause })
  }
}
