import { type Json, listOf } from '../domain/json.ts'

/**
 * A block of thinking as an entry of a chat message's `reasoning_details`, in OpenRouter's format, so that signed
 * blocks come back with the next request.
 */
export function detailOf({ type, thinking, signature, data }: Json): Json | undefined {
  if (type === 'thinking') return { type: 'reasoning.text', text: thinking, signature }
  if (type === 'redacted_thinking') return { type: 'reasoning.encrypted', data }
  return undefined
}

/** The blocks of thinking that a chat message returns: only those that their provider signed or sealed. */
export function thinkingOf({ reasoning_details: details }: Json): Json[] {
  return joined(listOf(details)).flatMap(({ type, text, signature, data }): Json[] => {
    if (type === 'reasoning.text' && signature) return [{ type: 'thinking', thinking: text ?? '', signature }]
    if (type === 'reasoning.encrypted' && data) return [{ type: 'redacted_thinking', data }]
    return []
  })
}

/** Joins the details of a stream, which are pieces of text followed by their signature. */
export function joined(details: readonly Json[]): Json[] {
  const whole: Json[] = []
  for (const detail of details) {
    const last = whole.at(-1)
    const continues = last?.type === 'reasoning.text' && detail.type === 'reasoning.text' && !last.signature
    if (!continues) whole.push(detail)
    else {
      // Nothing else of it is kept: a client may give the first piece very many members.
      const text = `${last.text ?? ''}${detail.text ?? ''}`
      whole[whole.length - 1] = { type: last.type, text, signature: detail.signature }
    }
  }
  return whole
}
