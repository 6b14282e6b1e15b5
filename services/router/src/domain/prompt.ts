import { isObject } from '@callboard/x402'
import type { Surface } from './surface.ts'

const MOST_MESSAGES = 2_000

/** Finds what is wrong with a prompt (`messages` or `input`), by surface; undefined if nothing is. */
export const PROMPT_FAULTS: Readonly<Record<Surface, (prompt: unknown) => string | undefined>> = {
  chat: faultOfMessages,
  messages: faultOfMessages,
  responses: (input) => (typeof input === 'string' ? faultOfText(input) : faultOfMessages(input)),
  embeddings(input) {
    if (typeof input === 'string') return faultOfText(input)
    if (isTokens(input)) return undefined
    if (!Array.isArray(input) || input.length === 0) return 'must be text, tokens, or a list of either'
    if (input.length > MOST_MESSAGES) return `must have at most ${MOST_MESSAGES} entries`
    const isList = input.every((one) => typeof one === 'string' && one !== '') || input.every(isTokens)
    return isList ? undefined : 'must be text, tokens, or a list of either'
  },
}

function faultOfMessages(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'must be a list with at least one entry'
  if (messages.length > MOST_MESSAGES) return `must have at most ${MOST_MESSAGES} entries`
  return messages.every(isObject) ? undefined : 'must have objects as entries'
}

const faultOfText = (text: string): string | undefined => (text === '' ? 'must not be empty' : undefined)

const isTokens = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((token) => Number.isSafeInteger(token) && token >= 0)
