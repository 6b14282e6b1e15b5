import { NANO_PER_THOUSAND } from './models-file.ts'

/** JSON as a test looks into it: every step may be missing. */
// biome-ignore lint/suspicious/noExplicitAny: answers of four APIs, read by path
export type Loose = any

export const QUESTION = 'What does a listing need before an agent finds it?'

/** The tokens of a call as its upstream reported them; the three kinds of input are separate. */
export interface Told {
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

const openai = (input = 0, output = 0, details: Loose = {}): Told => {
  const { cached_tokens: cacheRead = 0, cache_write_tokens: cacheWrite = 0 } = details
  return { fresh: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output }
}

const ofChat = ({ prompt_tokens, completion_tokens, prompt_tokens_details }: Loose): Told =>
  openai(prompt_tokens, completion_tokens, prompt_tokens_details)

/** The four ways to ask, and where each answer reports its usage: whole, or in the events of a stream. */
export const SURFACES = {
  chat: {
    path: '/v1/chat/completions',
    body: (model: string) => ({
      ...{ model, max_tokens: 200, stream_options: { include_usage: true } },
      messages: [{ role: 'user', content: QUESTION }],
    }),
    told: ([...answers]: Loose[]): Told => ofChat(answers.findLast(({ usage }) => usage)?.usage ?? {}),
  },
  responses: {
    path: '/v1/responses',
    body: (model: string) => ({ model, input: QUESTION, max_output_tokens: 200 }),
    told: ([...answers]: Loose[]): Told => {
      const { input_tokens, output_tokens, input_tokens_details } =
        answers.map((one) => (one.response ?? one).usage).findLast(Boolean) ?? {}
      return openai(input_tokens, output_tokens, input_tokens_details)
    },
  },
  messages: {
    path: '/v1/messages',
    body: (model: string) => ({ model, max_tokens: 200, messages: [{ role: 'user', content: QUESTION }] }),
    told: ([...answers]: Loose[]): Told => {
      const usage = Object.assign({}, ...answers.map((one) => (one.message ?? one).usage))
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage
      const cache = { cacheRead: cache_read_input_tokens ?? 0, cacheWrite: cache_creation_input_tokens ?? 0 }
      return { fresh: input_tokens, ...cache, output: output_tokens }
    },
  },
  embeddings: {
    path: '/v1/embeddings',
    body: (model: string) => ({ model, input: QUESTION }),
    told: ([answer]: Loose[]): Told => openai(answer.usage.prompt_tokens),
  },
} as const
export type Asking = keyof typeof SURFACES

/** The JSON of an answer: the whole of it, or the data of its events. */
export const answersIn = (text: string): Loose[] =>
  text.startsWith('{')
    ? [JSON.parse(text)]
    : text
        .split('\n')
        .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
        .map((line) => JSON.parse(line.slice('data: '.length)))

/** The price of tokens with the test's models; nano-USD, rounded up. */
export function priceOf({ fresh, cacheRead, cacheWrite, output }: Told): bigint {
  const { fresh: f, cacheRead: r, cacheWrite: w, output: o } = NANO_PER_THOUSAND
  const thousandths = BigInt(fresh) * f + BigInt(cacheRead) * r + BigInt(cacheWrite) * w + BigInt(output) * o
  return (thousandths + 999n) / 1_000n
}
