import { type Caller, type Tool, tools } from '@callboard/contract'

/**
 * What a credential lacks for a tool, as the code that its route would answer; undefined if it may call the tool. The
 * tools of agents are for agents, and a scope has to have been granted.
 */
export function lackFor(caller: Caller, { op: { http } }: Tool): 'unauthorized' | 'insufficient_scope' | undefined {
  if (http.auth === 'none') return undefined
  if (caller.kind === 'anonymous' || (http.auth === 'agent' && caller.kind !== 'agent')) return 'unauthorized'
  const isGranted = http.scope === undefined || !('scopes' in caller) || caller.scopes.includes(http.scope)
  return isGranted ? undefined : 'insufficient_scope'
}

/** The tools that a caller may use, in the contract's order. */
export const toolsFor = (caller: Caller): readonly Tool[] => tools.filter((tool) => lackFor(caller, tool) === undefined)
