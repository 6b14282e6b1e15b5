import { type Json, listOf } from '../json.ts'

/**
 * What an answer, or an event of a stream, says went wrong: its own error, or that of its choices if each has one.
 * Aggregators answer 200 as soon as a model has begun, and name its failure in either place.
 * @source OpenRouter API, errors; NonStreamingChoice, StreamingChoice
 */
export function errorIn({ error, choices }: Json): unknown {
  if (error) return error
  const all = listOf(choices)
  return all.every((choice) => choice.error) ? all[0]?.error : undefined
}
