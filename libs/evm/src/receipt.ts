import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from '@callboard/values'
import { type Client, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'

const TIMEOUT_MS = 60_000
const POLL_MS = 50

/**
 * Waits for a transaction's receipt by polling. viem's `waitForTransactionReceipt` asks again only when a block comes,
 * and a development node that mines on demand makes none after the last transaction.
 * @throws Error after `timeoutMs`, and what the node throws
 */
export async function receiptOf(client: Client, hash: Hex, timeoutMs = TIMEOUT_MS): Promise<TransactionReceipt> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const receipt = await getTransactionReceipt(client, { hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    if (receipt) return receipt
    if (performance.now() > end) throw new Error(`Transaction ${hash} is in no block after ${timeoutMs} ms`)
    await wait(POLL_MS)
  }
}
