import { type Call, type SampleModels, startSampleModels } from '../src/sample-models.ts'

/** JSON as a test reads it: any member may be missing. */
// biome-ignore lint/suspicious/noExplicitAny: answers of four APIs, read by path
export type Loose = any

export interface Asking extends SampleModels {
  readonly post: (path: string, body: object, init?: RequestInit) => Promise<Response>
  /** The bodies of a stream's frames, in order, without `[DONE]`. */
  readonly stream: (path: string, body: object, headers?: Record<string, string>) => Promise<readonly Loose[]>
  readonly lastCall: () => Call
}

/** A sample provider and the functions with which a test calls it. */
export async function asking(options?: Parameters<typeof startSampleModels>[0]): Promise<Asking> {
  const models = await startSampleModels(options)
  const post: Asking['post'] = (path, body, init) =>
    fetch(models.url + path, { method: 'POST', body: JSON.stringify(body), ...init })
  return {
    ...models,
    post,
    stream: async (path, body, headers = {}) =>
      framesIn(await (await post(path, { ...body, stream: true }, { headers })).text()),
    lastCall: () => {
      const call = models.calls.at(-1)
      if (!call) throw new Error('There was no call.')
      return call
    },
  }
}

export const framesIn = (text: string): readonly Loose[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)))

/** The APIs for the same question: path, body, and where text and usage are, streamed and not. */
export const APIS = {
  chat: {
    path: '/chat/completions',
    body: (model: string) => ({ model, messages: [{ role: 'user', content: 'What is a listing?' }] }),
    limit: 'max_tokens',
    text: (whole: Loose): string => whole.choices[0].message.content,
    usage: ({ usage }: Loose) => usage && { input: usage.prompt_tokens, output: usage.completion_tokens },
    piece: (frame: Loose): string => frame.choices?.[0]?.delta.content ?? '',
  },
  responses: {
    path: '/responses',
    body: (model: string) => ({ model, input: 'What is a listing?' }),
    limit: 'max_output_tokens',
    text: (whole: Loose): string => whole.output[0].content[0].text,
    usage: ({ usage }: Loose) => usage && { input: usage.input_tokens, output: usage.output_tokens },
    piece: ({ type, delta }: Loose): string => (type === 'response.output_text.delta' ? delta : ''),
  },
  messages: {
    path: '/messages',
    body: (model: string) => ({ model, max_tokens: 500, messages: [{ role: 'user', content: 'What is a listing?' }] }),
    limit: 'max_tokens',
    text: (whole: Loose): string => whole.content[0].text,
    usage: ({ usage }: Loose) => usage && { input: usage.input_tokens, output: usage.output_tokens },
    piece: ({ delta }: Loose): string => delta?.text ?? '',
  },
} as const
export type ApiName = keyof typeof APIS
export const API_NAMES = Object.keys(APIS) as readonly ApiName[]

/** Everything that a stream yields, once it has ended. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
