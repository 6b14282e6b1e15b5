import { wrapFetchWithPayment } from '@x402/fetch'
import OpenAI, { NotFoundError } from 'openai'
import type { HDAccount } from 'viem/accounts'
import { buyer } from './agent.ts'
import type { Devnet } from './devnet.ts'
import { eventually } from './eventually.ts'
import { sellAsBefore, sellSampleModels } from './models-file.ts'
import { short, tell } from './narration.ts'
import { ownText } from './own-file.ts'
import { type OwnerSession, signIn } from './owner.ts'
import { startSampleModels } from './sample-models.ts'

const MODEL = 'sample-small'
const QUESTION = 'What does a listing need before an agent finds it?'
const MAX_TOKENS = 60
const TOP_UP_USD = 1
const BASE_UNITS_PER_USD = 1_000_000

interface Usage {
  readonly balance: { readonly spentUsd: string; readonly remainingUsd: string } | null
}

/**
 * An owner buys a balance with x402, creates a key and streams a completion with the stock OpenAI SDK. The upstream is
 * a sample provider of models, a separate server that the Router's file names.
 * @param modelsFile the Router's file of models, which is read again when it changes
 * @returns a function that ends the sample provider
 */
export async function sellTokens(devnet: Devnet, account: HDAccount, modelsFile: string): Promise<() => Promise<void>> {
  const before = (await ownText(modelsFile)) ?? ''
  const models = await startSampleModels()
  const stop = async () => {
    // Models without a provider are no longer sold.
    await sellAsBefore(modelsFile, before)
    await models.close()
  }
  try {
    await sellSampleModels(modelsFile, models.url)
    const owner = await signIn(devnet, account)
    await topUp(devnet, account, owner)
    const made = await owner.send('POST', '/api/router/keys', { label: 'demonstration', source: 'balance' })
    const { id, key, baseUrl } = (await made.json()) as { id: string; key: string; baseUrl: string }
    tell('makes a key on that balance, which is shown once', `${short(key)} at ${baseUrl}`)
    await streamCompletion(new OpenAI({ apiKey: key, baseURL: baseUrl }))
    const { balance } = (await (await owner.send('GET', '/api/router/usage')).json()) as Usage
    tell(
      'The hold is released, and only the usage is charged',
      `spent ${balance?.spentUsd} USD, left ${balance?.remainingUsd} USD`,
    )
    await owner.send('DELETE', `/api/router/keys/${id}`)
    await owner.end()
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

async function topUp(devnet: Devnet, account: HDAccount, owner: OwnerSession): Promise<void> {
  const client = buyer(devnet, account, String(TOP_UP_USD * BASE_UNITS_PER_USD))
  const url = `${devnet.baseUrl}/api/router/top-up/${TOP_UP_USD}`
  const answer = await wrapFetchWithPayment(fetch, client)(url, { method: 'POST', headers: owner.headers })
  if (!answer.ok) throw new Error(`The top-up answered ${answer.status}: ${await answer.text()}`)
  tell('An owner buys Router balance with the stock @x402/fetch', await answer.text())
}

async function streamCompletion(client: OpenAI): Promise<void> {
  const stream = await onceServed(() =>
    client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: QUESTION }],
      max_tokens: MAX_TOKENS,
      stream: true,
      stream_options: { include_usage: true },
    }),
  )
  let text = ''
  let used = ''
  for await (const { choices, usage } of stream) {
    text += choices[0]?.delta.content ?? ''
    if (usage) used = `${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out`
  }
  tell('and streams a completion with the stock OpenAI SDK', `“${text.trim()}”`, used)
}

/** Each replica of the Router reads its file within seconds of a change; until then it does not know the model. */
const onceServed = <T>(ask: () => Promise<T>): Promise<T> =>
  eventually(`the Router serves ${MODEL}`, () =>
    ask().catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined
      throw error
    }),
  )
