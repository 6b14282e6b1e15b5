import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { Instance, SOURCE } from '../../../services/all/test/instance.ts'
import { boughtKey } from '../router/bought-key.ts'
import { WIDE_LIMITS } from '../router/wide-limits.ts'
import type { BoardGateway } from './board-gateway.ts'
import type { Behaviour, Surface } from './cells.ts'
import { BUDGET_USD, MAX_TOKENS, nanoOf, priceOf, usdText } from './price.ts'

const SETTLED_MS = 20_000

/** A model per surface and upstream: one bills what was sent of an answer, the other does not. */
const NAMES = ['openai', 'openai-free', 'anthropic', 'anthropic-free'] as const
const modelOf = (surface: Surface, isFree: boolean): string => `${surface}${isFree ? '-free' : ''}`

function modelsFile(url: string): string {
  const surfaces: readonly Surface[] = ['chat', 'responses', 'messages', 'embeddings']
  const models = surfaces.flatMap((surface) =>
    [false, true].map((isFree) => {
      const { fresh, cacheRead, output } = priceOf(surface)
      const shape = surface === 'messages' ? 'anthropic' : 'openai'
      return {
        ...{ id: modelOf(surface, isFree), ownedBy: 'board', created: 1_795_339_800 },
        ...{ contextTokens: 32_768, maxOutputTokens: MAX_TOKENS, capabilities: [surface] },
        price: { version: 'board', prompt: usdText(fresh), completion: usdText(output), cacheRead: usdText(cacheRead) },
        upstreams: [{ upstream: isFree ? `${shape}-free` : shape, model: 'board' }],
      }
    }),
  )
  const upstreams = NAMES.map((name) => ({
    ...{ name, baseUrl: `${url}/v1`, shape: name.split('-')[0] },
    cancelled: name.endsWith('-free') ? 'free' : 'estimate',
  }))
  // JSON is YAML.
  return JSON.stringify({ upstreams, models })
}

interface Status {
  readonly limits: readonly { readonly limit: string; readonly spentUsd: string; readonly heldUsd: string }[]
}

/** A whole embedded instance; a budget is a balance bought by a new owner through x402. */
export async function startOurs(upstreamUrl: string): Promise<BoardGateway> {
  const folder = temporaryFolder('callboard-bench-')
  const ROUTER_MODELS = join(folder, 'models.yaml')
  writeFileSync(ROUTER_MODELS, modelsFile(upstreamUrl))
  const instance = new Instance(SOURCE)
  const stop = async () => {
    await instance.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await instance.start(['--no-demo'], { ...WIDE_LIMITS, ROUTER_MODELS })
  } catch (error) {
    await stop()
    throw error
  }
  const { baseUrl, devnet } = instance
  const shop = { baseUrl, devnet, token: { network: devnet.network, asset: devnet.usdc.address } }
  const isFree = (behaviour: Behaviour) => behaviour === 'abort, not billed'
  return {
    ...{ name: 'ours', baseUrl, stop },
    modelFor: (surface, behaviour) => modelOf(surface, isFree(behaviour)),
    isRefusal: (status) => status === 402,
    async makeKey() {
      const { key, owner } = await boughtKey(shop, BUDGET_USD)
      const headers = { authorization: `Bearer ${key}` }
      const status = async () => {
        const answer = (await (await fetch(`${baseUrl}/v1/key`, { headers })).json()) as Status
        const balance = answer.limits.find(({ limit }) => limit === 'balance')
        if (!balance) throw new Error('the key has no balance')
        return { spent: nanoOf(balance.spentUsd), held: nanoOf(balance.heldUsd) }
      }
      const spent = async () => {
        await until('nothing is held', async () => (await status()).held === 0n, SETTLED_MS)
        const { usage } = (await owner.session.get('/api/router/usage')).json() as { usage: { costUsd: string }[] }
        const [told, counted] = [(await status()).spent, usage.reduce((sum, { costUsd }) => sum + nanoOf(costUsd), 0n)]
        if (told !== counted) throw new Error(`the key says ${told} were spent and the usage ${counted}`)
        return told
      }
      return { headers, spent }
    },
  }
}
