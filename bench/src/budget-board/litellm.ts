import { setTimeout as wait } from 'node:timers/promises'
import { installedLitellm, MASTER_KEY, startProxy } from '../router/litellm.ts'
import type { BoardGateway } from './board-gateway.ts'
import { SURFACES, type Surface } from './cells.ts'
import { startDatabase } from './litellm-database.ts'
import { BUDGET_USD, nanoOf, priceOf, usdText } from './price.ts'

/** It writes spending in batches: a sum unchanged for this long is final. */
const WRITTEN_MS = 12_000
const PATIENCE_MS = 60_000

const perToken = (nano: bigint): number => Number(usdText(nano))

function config(url: string): object {
  const modelOf = (surface: Surface) => {
    const { fresh, cacheRead, output } = priceOf(surface)
    const isMessages = surface === 'messages'
    return {
      model_name: surface,
      litellm_params: {
        model: `${isMessages ? 'anthropic' : 'openai'}/board-${surface}`,
        api_base: isMessages ? url : `${url}/v1`,
        api_key: 'none',
        input_cost_per_token: perToken(fresh),
        output_cost_per_token: perToken(output),
        cache_read_input_token_cost: perToken(cacheRead),
      },
      model_info: { mode: surface === 'embeddings' ? 'embedding' : surface === 'responses' ? 'responses' : 'chat' },
    }
  }
  return {
    model_list: SURFACES.map(modelOf),
    general_settings: { master_key: MASTER_KEY, proxy_batch_write_at: 1 },
    litellm_settings: { num_retries: 0, request_timeout: 60 },
    router_settings: { num_retries: 0, disable_cooldowns: true },
  }
}

/** LiteLLM’s proxy with its database. @returns undefined where it cannot be installed */
export async function startLitellm(upstreamUrl: string): Promise<BoardGateway | undefined> {
  const python = installedLitellm()
  if (!python) return undefined
  const database = await startDatabase(python)
  const proxy = await startProxy(python, config(upstreamUrl), database.env).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  const baseUrl = `http://127.0.0.1:${proxy.port}`
  const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' }
  const spendOf = async (key: string): Promise<bigint> => {
    const answer = await fetch(`${baseUrl}/key/info?key=${key}`, { headers })
    if (!answer.ok) throw new Error(`it answered ${answer.status} when asked what the key spent`)
    const { info } = (await answer.json()) as { info: { spend: number } }
    return nanoOf(info.spend)
  }
  return {
    ...{ name: 'LiteLLM', baseUrl, modelFor: (surface) => surface },
    isRefusal: (status, text) => status >= 400 && /budget/i.test(text),
    async makeKey() {
      const made = await fetch(`${baseUrl}/key/generate`, {
        ...{ method: 'POST', headers },
        body: JSON.stringify({ max_budget: BUDGET_USD }),
      })
      if (!made.ok) throw new Error(`The key answered ${made.status}: ${await made.text()}`)
      const { key } = (await made.json()) as { key: string }
      return {
        headers: { authorization: `Bearer ${key}` },
        async spent() {
          const end = performance.now() + PATIENCE_MS
          let [before, since] = [-1n, performance.now()]
          while (performance.now() < end && performance.now() - since < WRITTEN_MS) {
            const now = await spendOf(key)
            if (now !== before) [before, since] = [now, performance.now()]
            await wait(1_000)
          }
          return before
        },
      }
    },
    async stop() {
      await proxy.stop()
      await database.stop()
    },
  }
}
