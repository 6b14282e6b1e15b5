import { rename, writeFile } from 'node:fs/promises'

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

/** Makes the Router of a file sell nothing. */
export const sellNothing = (file: string): Promise<void> => replace(file, NOTHING_SOLD)

/** Atomic: no reader sees half of it. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}
