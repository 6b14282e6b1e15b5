import { isObject } from '@callboard/x402'
import { given, type Json, listOf, objectOf, textOf } from '../json.ts'
import type { Surface } from '../surface.ts'
import { isKeptElsewhere, isLongCache, isSound, isSummaryAsked, partsIn, toolsIn } from './prompt-parts.ts'
import { REFUSED_FIELDS, TWICE, type Unpriced } from './refused-fields.ts'
import { faultOfTools, LONG_CACHE, ofTools } from './refused-tools.ts'

/** The fields of a request that hold its prompt and other parts. */
const PROMPTS: Readonly<Record<Surface, readonly string[]>> = {
  chat: ['messages'],
  responses: ['input'],
  messages: ['messages', 'system'],
  embeddings: [],
}

const PARTS: readonly (readonly [is: (part: Json) => boolean, message: string])[] = [
  [isKeptElsewhere, 'refer to something stored at the provider: send its content instead'],
  [isSound, 'have audio, whose tokens cost more than the price here'],
  [isLongCache, LONG_CACHE],
  [isSummaryAsked, `have a compaction_trigger, which ${TWICE}`],
]

/**
 * The field of a request that would cost the operator more than the model's price covers, or reach what other callers
 * of the operator's key left at the provider. Any number of tokens is covered: the hold accounts for them.
 */
export function unpricedIn(surface: Surface, body: Json): Unpriced | undefined {
  const members = given(body)
  for (const [field, { why, unless = [], isFree }] of Object.entries(REFUSED_FIELDS[surface])) {
    const value = members[field]
    if (value === undefined || unless.includes(value) || (Array.isArray(value) && value.length === 0)) continue
    if (isFree && isObject(value) && isFree(value)) continue
    return { field, message: why }
  }
  return ofModalities(members) ?? ofTools(surface, members) ?? ofEdits(surface, members) ?? ofParts(surface, members)
}

function ofModalities({ modalities }: Json): Unpriced | undefined {
  const isText = !Array.isArray(modalities) || modalities.every((one) => one === 'text')
  return isText
    ? undefined
    : { field: 'modalities', message: 'must be text: other output costs more than the price here' }
}

/** Finds the one way of shortening a prompt at the provider that has a model write a summary. */
function ofEdits(surface: Surface, { context_management: management }: Json): Unpriced | undefined {
  if (surface !== 'messages' && surface !== 'chat') return undefined
  // LiteLLM takes the edits of OpenAI's API, too, which have no name around them.
  const edits = listOf(Array.isArray(management) ? management : objectOf(management).edits)
  const isSummary = edits.some(({ type }) => !/^clear_/.test(textOf(type)))
  return isSummary ? { field: 'context_management', message: TWICE } : undefined
}

function ofParts(surface: Surface, members: Json): Unpriced | undefined {
  if (isLongCache(members)) return { field: 'cache_control', message: LONG_CACHE }
  const points = listOf(members.cache_control_injection_points)
  if (points.some(({ control }) => isLongCache({ cache_control: control })))
    return { field: 'cache_control_injection_points', message: LONG_CACHE }
  for (const field of PROMPTS[surface]) {
    for (const part of partsIn(members[field])) {
      const [, message = faultOfTools(surface, toolsIn(part), 'a tool')] = PARTS.find(([is]) => is(part)) ?? []
      if (message !== undefined) return { field, message }
    }
  }
  return undefined
}
