import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '@callboard/catalog'
import type { Devnet } from '@callboard/conformance/target'
import { anonymous, type DiscoveryItem, LIMITS, catalog as operations } from '@callboard/contract'
import { createLogger, type Env, startServices } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { startIdle } from '../idle/instance.ts'

const UNLIMITED = { burst: 1_000_000, perMinute: 100_000_000 }

/** Returns a directory's results for a query. */
export type Search = (q: string) => Promise<readonly DiscoveryItem[]>

export interface SearchableInstance {
  readonly baseUrl: string
  readonly devnet: Devnet
  /** The directory of each replica: the instance's own, over HTTP, and another process's over the same tables. */
  readonly replicas: readonly Search[]
  stop(): Promise<void>
}

/** A whole embedded instance, and a second replica of its catalog in this process. */
export async function startSearchable(): Promise<SearchableInstance> {
  const limits = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, UNLIMITED]))
  const instance = await startIdle(false, { RATE_LIMITS: JSON.stringify(limits) })
  const { folder, baseUrl } = instance
  const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
  const { env } = JSON.parse(readFileSync(join(folder, 'instance.json'), 'utf8')) as { env: Env }
  const second = await startServices([catalog], { env, log: createLogger('error'), operationsOnly: true })
  const meta = { caller: anonymous, requestId: 'bench', timeoutMs: 10_000 }
  return {
    baseUrl,
    devnet,
    replicas: [
      async (q) => {
        const answer = await fetch(`${baseUrl}/api/call/discovery?includeUnverified=true&q=${encodeURIComponent(q)}`)
        if (!answer.ok) throw new Error(`Discovery answered ${answer.status}`)
        return ((await answer.json()) as { items: DiscoveryItem[] }).items
      },
      async (q) => {
        const input = operations.discovery.input.parse({ q, includeUnverified: 'true' })
        const page = await second.bus.call(operations.discovery, input, meta)
        if (isRefusal(page)) throw new Error(`Discovery refused: ${page.refusal}`)
        return page.items
      },
    ],
    async stop() {
      await second.stop()
      await instance.stop()
    },
  }
}
