import { routes } from '@callboard/contract'
import { afterAll, beforeAll, describe } from 'vitest'
import { endMade } from './actors/made.ts'
import { registerCoverage } from './coverage/coverage.ts'
import { operations } from './operations.ts'
import { closeStages, stageOf } from './stage.ts'
import { registerA2a } from './surface/a2a.ts'
import { registerEdge } from './surface/edge.ts'
import { registerLinks } from './surface/links.ts'
import { registerMcp } from './surface/mcp.ts'
import { registerPages } from './surface/pages.ts'
import type { TargetOf } from './target.ts'

/**
 * Registers the whole suite: every route of the contract, in the contract's order, then what applies to all routes,
 * then what was covered.
 */
export function conformance(target: TargetOf): void {
  beforeAll(async () => {
    if (target().devnet) await stageOf(target())
  }, 60_000)
  afterAll(async () => {
    await endMade()
    await closeStages()
  }, 120_000)

  for (const { id, http } of routes()) {
    const register = operations.get(id)
    if (register) describe(`${id} (${http.method} ${http.path})`, () => register(target))
  }
  describe('the pages', () => registerPages(target))
  describe('the hosted MCP server', () => registerMcp(target))
  describe('the agent-to-agent server', () => registerA2a(target))
  describe('the edge', () => registerEdge(target))
  describe('links', () => registerLinks(target))
  describe('coverage', () => registerCoverage(target, [...operations.keys()]))
}
