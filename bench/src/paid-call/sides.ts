import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Address, Hex } from '@callboard/values'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Instance } from '../../../services/all/test/instance.ts'
import type { chainOf } from './chain.ts'
import type { SellerSettings } from './seller.ts'
import { startX402Rs } from './x402-rs.ts'

/** A seller of the figure, and its payee. */
export interface Side {
  readonly url: string
  readonly payTo: Address
}

export interface Sides {
  /** `reference` and, where it could be built, `x402-rs`, in addition to `ours`. */
  readonly sellers: ReadonlyMap<string, Side>
  stop(): Promise<void>
}

const startProcess = (module: string, env: Record<string, string> = {}) =>
  fork(new URL(module, import.meta.url), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

/** The next message of a child. @throws Error when it ends instead */
async function said(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('a process of the figure ended before it answered')
  })
  const [word] = (await Promise.race([once(child, 'message'), ended])) as [string]
  return word
}

/**
 * Sellers that differ only in their facilitator, each in a process of its own, and the peers' facilitators on the
 * instance's chain.
 * @param amount base units per call
 */
export async function startSides(
  { rpcUrl, chainId, network, usdc, facilitatorUrl }: Instance['devnet'],
  chain: ReturnType<typeof chainOf>,
  amount: bigint,
): Promise<Sides> {
  const ends: (() => Promise<unknown> | unknown)[] = []
  const start = (module: string, env?: Record<string, string>) => {
    const child = startProcess(module, env)
    ends.push(() => child.kill())
    return child
  }
  const stop = async () => {
    for (const end of ends.toReversed()) await end()
  }
  const newSigner = async (): Promise<Hex> => {
    const key = generatePrivateKey()
    await chain.giveGas(privateKeyToAccount(key).address)
    return key
  }
  try {
    const facilitators = new Map([['ours', facilitatorUrl]])
    const KEY = await newSigner()
    facilitators.set(
      'reference',
      await said(start('./reference.ts', { RPC_URL: rpcUrl, CHAIN_ID: String(chainId), KEY })),
    )
    const rs = await startX402Rs({ rpcUrl, network, signers: [await newSigner()] })
    if (rs) {
      ends.push(() => rs.stop())
      facilitators.set('x402-rs', rs.url)
    }
    const sellers = new Map<string, Side>()
    for (const [name, url] of facilitators) {
      const seller = start('./seller-main.ts')
      const payTo = privateKeyToAccount(generatePrivateKey()).address
      seller.send({
        facilitatorUrl: url,
        network,
        asset: usdc,
        amount: amount.toString(),
        payTo,
      } satisfies SellerSettings)
      sellers.set(name, { url: await said(seller), payTo })
    }
    return { sellers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
