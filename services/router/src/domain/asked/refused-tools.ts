import { given, type Json, listOf, objectOf, textOf } from '../json.ts'
import type { Surface } from '../surface.ts'
import { isLongCache } from './prompt-parts.ts'
import { APART, type Unpriced } from './refused-fields.ts'

/** The tools that the client runs itself; those that a provider runs are billed per search, hour or picture. */
const OF_CLIENTS: Readonly<Record<Surface, RegExp>> = {
  chat: /^(function|custom)$/,
  responses: /^(function|custom|local_shell|apply_patch|computer|computer_use_preview)$/,
  messages: /^(custom|(bash|text_editor|memory|computer|computer_toolset|browser_toolset)_\d{8})$/,
  embeddings: /^$/,
}

export const LONG_CACHE = 'mark a cache that is kept for longer than five minutes, which costs more than the price here'

/** Finds it in the tools, or in a chat's `functions`, their earlier name: LiteLLM reads both in the same way. */
export function ofTools(surface: Surface, members: Json): Unpriced | undefined {
  for (const field of surface === 'chat' ? ['tools', 'functions'] : ['tools']) {
    const message = faultOfTools(surface, listOf(members[field]), 'one')
    if (message !== undefined) return { field, message }
  }
  return undefined
}

/** @param what one of them is in the message */
export function faultOfTools(surface: Surface, tools: readonly Json[], what: string): string | undefined {
  const fallback = surface === 'messages' ? 'custom' : 'function'
  for (const tool of tools) {
    const type = tool.type === undefined || tool.type === null ? fallback : textOf(tool.type)
    const isLocal = type === 'shell' && objectOf(tool.environment).type === 'local'
    const other = OF_CLIENTS[surface].test(type) || isLocal ? otherOf(surface, tool) : type
    if (other !== undefined) return `have ${what} of type ${other.slice(0, 64)}, which ${APART}`
    if (isLongCache(tool) || isLongCache(objectOf(tool.function))) return LONG_CACHE
  }
  return undefined
}

/**
 * The member by which a tool of a chat names what its provider runs, if it names nothing of its client's. LiteLLM goes by
 * that member whatever the type, as in `{ type: 'function', googleSearch: {} }`.
 */
function otherOf(surface: Surface, { type: _, cache_control: __, ...named }: Json): string | undefined {
  const isOfClient = ['function', 'custom', 'name'].some((member) => given(named)[member] !== undefined)
  return surface === 'chat' && !isOfClient ? Object.keys(named)[0] : undefined
}
