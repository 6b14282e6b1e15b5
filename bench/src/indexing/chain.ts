import { createHash } from 'node:crypto'
import { type Anvil, startAnvil } from '@callboard/embedded'
import type { Address, Hex } from '@callboard/values'
import { getAddress } from 'viem'
import { CENT, calldata, EMITTER, type Sent, USDC } from './emitter.ts'

export const CHAIN_ID = 8453

/** The last block with a payment. */
export const BLOCKS = 100
const PER_BLOCK = 500
/** More than our finality depth for Base (128) and Ponder's (30), so that both read all payments as history. */
const EMPTY_BLOCKS = 200
const PAYERS = 10_000
const PAYEES = 1_000

/** A filled chain: 50,000 payments in 100 blocks, then empty ones. */
export interface FilledChain {
  readonly anvil: Anvil
  readonly sent: readonly Sent[]
  /** The newest block. */
  readonly head: number
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const addressOf = (text: string): Address => getAddress(`0x${digest(text).slice(24)}`)

function payments(): Sent[] {
  const payers = Array.from({ length: PAYERS }, (_, at) => addressOf(`payer ${at}`))
  const payees = Array.from({ length: PAYEES }, (_, at) => addressOf(`payee ${at}`))
  const pick = <T>(all: readonly T[], at: number): T => all[at % all.length] as T
  return Array.from({ length: BLOCKS * PER_BLOCK }, (_, at) => ({
    payer: pick(payers, at * 7919),
    payTo: pick(payees, at * 104_729),
    amount: CENT + BigInt(at),
    nonce: `0x${digest(`nonce ${at}`)}` as Hex,
  }))
}

/** Starts anvil with Base's chain id and fills it; the same payments every time. */
export async function filledChain(): Promise<FilledChain> {
  const anvil = await startAnvil({ chainId: CHAIN_ID })
  try {
    const call = (method: string, ...params: unknown[]) => batch(anvil.rpcUrl, [{ method, params }])
    await call('evm_setAutomine', false)
    await call('anvil_setCode', USDC, EMITTER)
    const [accounts] = (await call('eth_accounts')) as [Address[]]
    const sent = payments()
    for (let block = 0; block < BLOCKS; block += 1) {
      const inBlock = sent.slice(block * PER_BLOCK, (block + 1) * PER_BLOCK)
      await batch(
        anvil.rpcUrl,
        inBlock.map((one, at) => ({ method: 'eth_sendTransaction', params: [transaction(accounts, one, block, at)] })),
      )
      await call('anvil_mine', '0x1')
    }
    await call('anvil_mine', `0x${EMPTY_BLOCKS.toString(16)}`)
    return { anvil, sent, head: BLOCKS + EMPTY_BLOCKS }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** anvil handles the calls of a batch concurrently, so each sets its nonce. */
function transaction(accounts: readonly Address[], one: Sent, block: number, at: number) {
  const nonce = (block * PER_BLOCK) / accounts.length + Math.floor(at / accounts.length)
  const from = accounts[at % accounts.length]
  return { from, to: USDC, data: calldata(one), gas: '0xea60', nonce: `0x${nonce.toString(16)}` }
}

async function batch(rpcUrl: string, calls: readonly { method: string; params: unknown[] }[]): Promise<unknown[]> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  })
  const answers = (await response.json()) as { result?: unknown; error?: { message: string } }[]
  return answers.map(({ result, error }) => {
    if (error) throw new Error(`anvil: ${error.message}`)
    return result
  })
}
