import { ownText, replace } from './own-file.ts'

const NOTHING_SOLD = '# The demonstration is over: its provider of models is gone.\nupstreams: []\nmodels: []\n'

const fileOf = (url: string) => `# Written by the demonstration: its sample provider of models.
upstreams:
  - { name: sample, baseUrl: '${url}', shape: openai }
  - { name: sample-messages, baseUrl: '${url}', shape: anthropic }
models:
  - id: sample-small
    ownedBy: sample
    created: 1795339800
    contextTokens: 32768
    maxOutputTokens: 4096
    capabilities: [chat, responses, messages]
    price: { version: '2026-11-23', prompt: '0.0000005', completion: '0.0000015', cacheRead: '0.00000005' }
    upstreams: [{ upstream: sample }, { upstream: sample-messages }]
  - id: sample-large
    ownedBy: sample
    created: 1795339800
    contextTokens: 131072
    maxOutputTokens: 16384
    capabilities: [chat, responses, messages]
    price: { version: '2026-11-23', prompt: '0.000003', completion: '0.000015', cacheRead: '0.0000003' }
    upstreams: [{ upstream: sample }, { upstream: sample-messages }]
  - id: sample-embedding
    ownedBy: sample
    created: 1795339800
    contextTokens: 8192
    maxOutputTokens: 1
    capabilities: [embeddings]
    price: { version: '2026-11-23', prompt: '0.00000002', completion: '0' }
    upstreams: [{ upstream: sample }]
`

/** Makes the Router of a file sell the models of the sample provider at a URL. */
export const sellSampleModels = (file: string, url: string): Promise<void> => replace(file, fileOf(url))

/**
 * Ends what the sample provider sells: the Router of a file sells again what it sold before, if that was another
 * demonstration's whose provider still serves, and otherwise nothing. What its operator wrote meanwhile stays.
 * @param before the file's text before `sellSampleModels`
 */
export async function sellAsBefore(file: string, before: string): Promise<void> {
  if ((await ownText(file)) === undefined) return
  await replace(file, (await isServed(before)) ? before : NOTHING_SOLD)
}

async function isServed(text: string): Promise<boolean> {
  const url = /baseUrl: '([^']+)'/.exec(text)?.[1]
  if (url === undefined) return false
  const answer = await fetch(`${url}/models`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  return answer?.ok === true
}
