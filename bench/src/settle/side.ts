import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { FacilitatorRequest } from '@callboard/contract'
import type { Hex } from '@callboard/values'

/** What one facilitator did with a list of payments. */
export interface Run {
  readonly wallMs: number
  /** CPU time of the facilitator's process. */
  readonly cpuMicros: number
  /** The transaction of each payment. */
  readonly transactions: readonly Hex[]
}

/** One facilitator in a process of its own, which also calls it: the cost of calling is the same on both sides. */
export interface Side {
  /** Settles all of the payments, some at a time. @throws Error when one is not settled */
  settle(payments: readonly FacilitatorRequest[], atOnce: number): Promise<Run>
  stop(): Promise<void>
}

export interface Order {
  readonly payments: readonly FacilitatorRequest[]
  readonly atOnce: number
}

/** Starts a facilitator: a module that says 'ready' and then answers each order with a run. */
export async function startSide(module: string, env: Record<string, string>): Promise<Side> {
  const child = fork(new URL(module, import.meta.url), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  await said(child)
  return {
    async settle(payments, atOnce) {
      child.send({ payments, atOnce } satisfies Order)
      return (await said(child)) as Run
    },
    async stop() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** The next message of a child. @throws Error when it ends instead */
async function said(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('a facilitator ended before it answered')
  })
  try {
    const [word] = await Promise.race([once(child, 'message', { signal }), ended])
    return word
  } finally {
    ended.catch(() => {})
    over.abort()
  }
}

type Settle = (payment: FacilitatorRequest) => Promise<{ success: boolean; transaction: string; errorReason?: string }>

/** Serves orders with a facilitator's settlement, until the parent ends. */
export function serveOrders(settle: Settle, stop: () => Promise<void>): void {
  process.on('message', (order) => void answer(order as Order))
  process.on('disconnect', () => void stop().then(() => process.exit(0)))
  process.send?.('ready')

  async function answer({ payments, atOnce }: Order): Promise<void> {
    const transactions: Hex[] = []
    const waiting = [...payments.entries()].reverse()
    const cpu = process.cpuUsage()
    const start = performance.now()
    const one = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [index, payment] = next
        const { success, transaction, errorReason } = await settle(payment)
        if (!success) throw new Error(`a payment was not settled: ${errorReason}`)
        transactions[index] = transaction as Hex
      }
    }
    await Promise.all(Array.from({ length: atOnce }, one))
    const { user, system } = process.cpuUsage(cpu)
    process.send?.({ wallMs: performance.now() - start, cpuMicros: user + system, transactions } satisfies Run)
  }
}
