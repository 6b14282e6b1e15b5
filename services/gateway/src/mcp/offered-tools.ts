import { type Caller, type Tool, tools } from '@callboard/contract'

/** Whether a credential may call a tool: those of agents are for agents, and a scope has to have been granted. */
function mayCall(caller: Caller, { op: { http } }: Tool): boolean {
  if (http.auth === 'agent' && caller.kind !== 'agent') return false
  return http.scope === undefined || !('scopes' in caller) || caller.scopes.includes(http.scope)
}

/** The tools that a caller may use, in the contract's order. */
export const toolsFor = (caller: Caller, all: readonly Tool[] = tools): readonly Tool[] =>
  all.filter((tool) => mayCall(caller, tool))
