import { eventName } from '@callboard/contract'
import { creditFound, type RouterContext } from '@callboard/router'
import type { Env } from '@callboard/runtime'
import { eventConsumersOf, type Running, type ServiceContext, type ServiceModule } from '@callboard/runtime'
import {
  appendAction,
  declareRestored,
  endRestored,
  noticeRestore,
  type Restored,
  skipSequences,
} from '@callboard/store'
import { type FacilitatorContext, paidToUs } from '@callboard/x402-facilitator'
import { directUrlOf } from '../beside.ts'
import { type Projection, projections } from '../projection.ts'
import { rebuildProjection } from '../rebuild-projection.ts'

export interface Reconciling {
  readonly by: string
  /** Dry run: says what would be done, and changes nothing. */
  readonly dryRun: boolean
  /** Given by the operator for a restore that no mark shows: every schema, to this moment. */
  readonly to?: Date | undefined
  readonly env: Env
}

/** A service whose schema is at an earlier state than before. */
interface Case {
  readonly module: ServiceModule
  readonly ctx: ServiceContext
  readonly restored: Restored
}

/**
 * Reconciles restored schemas with the outside world, one service after the other, and lets their services start; each
 * service defines its own part (`afterRestore`). It may be repeated if it ended early; nothing takes effect twice.
 * @returns the exit code
 */
export async function reconcile(
  running: Running,
  modules: readonly ServiceModule[],
  asked: Reconciling,
): Promise<number> {
  const cases = await casesOf(running, modules, asked)
  if (cases.length === 0) {
    console.log('Every schema stands where it stood: there is nothing to reconcile.')
    return 0
  }
  for (const one of cases) await reconcileOne(one, asked)
  await creditPaid(running, cases, asked)
  if (asked.dryRun) return 0
  await running.bus.events.renew(eventConsumersOf(modules))
  console.log('The event log is another one: the outboxes publish again what it would keep.')
  const stale = projections.filter((one) => isStale(one, cases))
  const last = stale.flatMap((one) => endingAfter(one, cases))
  // The slow part affects only readers of the directory: payments and sign-ins do not wait for it.
  const others = cases.filter((one) => !last.includes(one))
  await endAll(others, asked)
  await rebuild(running, modules, stale, asked)
  await endAll(last, asked)
  return 0
}

/** Their processes can start from here on. */
async function endAll(cases: readonly Case[], asked: Reconciling): Promise<void> {
  for (const { module, ctx } of cases) {
    await endRestored(ctx.db, ctx.counters)
    await appendAction(ctx.db, actionOf(module, asked), { outcome: 'done' })
  }
  if (cases.length > 0)
    console.log(`Reconciled: ${cases.map(({ module }) => module.name).join(', ')}. Their processes start now.`)
}

async function casesOf(
  running: Running,
  modules: readonly ServiceModule[],
  { to, dryRun }: Reconciling,
): Promise<Case[]> {
  const cases: Case[] = []
  for (const module of modules) {
    const ctx = running.contexts.get(module.name)
    if (!ctx || !module.migrations) continue
    const said = to && { because: 'the operator says so', to }
    if (said && !dryRun) await declareRestored(ctx.db, said)
    const restored = (await noticeRestore(ctx.db, ctx.counters)) ?? said
    if (restored) cases.push({ module, ctx, restored })
  }
  return cases
}

async function reconcileOne({ module, ctx, restored }: Case, asked: Reconciling): Promise<void> {
  console.log(`${module.name}: ${restored.because}; nothing until ${restored.to.toISOString()} is lost`)
  const since = asked.to ?? restored.to
  if (!asked.dryRun) await appendAction(ctx.db, actionOf(module, asked), { outcome: 'begun', saw: restored })
  const lines = (await module.afterRestore?.(ctx as never, { to: since, dryRun: asked.dryRun })) ?? []
  for (const line of lines) console.log(`  ${line}`)
  if (asked.dryRun) return
  const next = await skipSequences(ctx.db)
  console.log(`  events go on after ${next}`)
}

/** Handles payments for balance that one of the two lost: the facilitator knows what settled, the Router credits. */
async function creditPaid(running: Running, cases: readonly Case[], { dryRun, to }: Reconciling): Promise<void> {
  const concerned = cases.filter(({ module }) => ['router', 'x402-facilitator'].includes(module.name))
  const [first] = concerned.map(({ restored }) => to ?? restored.to).toSorted((one, other) => +one - +other)
  const [payments, books] = [running.contexts.get('x402-facilitator'), running.contexts.get('router')]
  if (!first || !payments || !books) return
  const found = await paidToUs(payments as FacilitatorContext, first)
  for (const line of await creditFound(books as RouterContext, found, dryRun)) console.log(`router: ${line}`)
}

/** Services whose events repeat what the chain says: nothing that they published in the lost time is wrong. */
const SAID_BY_THE_CHAIN = ['x402-facilitator']

/** The cases of a projection itself, and of services that published events which it shows and they no longer know. */
const casesBehind = ({ module }: Projection, cases: readonly Case[]): Case[] =>
  cases.filter(
    ({ module: { name, publishes } }) =>
      name === module.name ||
      (!SAID_BY_THE_CHAIN.includes(name) &&
        publishes.some((one) => module.consumes.some(({ event }) => eventName(event) === eventName(one)))),
  )

const isStale = (projection: Projection, cases: readonly Case[]): boolean => casesBehind(projection, cases).length > 0

/**
 * The cases that end only once a stale projection is rebuilt: they alone tell a reconcile that is run again that it is
 * stale. If the projection was restored too, it is enough that it waits.
 */
function endingAfter(projection: Projection, cases: readonly Case[]): Case[] {
  const behind = casesBehind(projection, cases)
  const own = behind.filter(({ module }) => module.name === projection.module.name)
  return own.length > 0 ? own : behind
}

/** Rebuilds stale projections, so that they match the event logs again. */
async function rebuild(
  running: Running,
  modules: readonly ServiceModule[],
  stale: readonly Projection[],
  { by, env }: Reconciling,
): Promise<void> {
  const sources = modules.filter(({ publishes }) => publishes.length > 0)
  for (const projection of stale) {
    const { name } = projection.module
    const ctx = running.contexts.get(name)
    if (!ctx) continue
    const databaseUrl = directUrlOf(env)
    const { events, rows } = await rebuildProjection({ projection, ctx, sources, databaseUrl, by })
    console.log(`${name}: rebuilt from ${events} events; ${rows} rows differed from them`)
  }
}

const actionOf = ({ name }: ServiceModule, { by, to }: Reconciling) => ({
  ...{ by, verb: 'reconcile', subject: name },
  arguments: to ? { restoredTo: to.toISOString() } : {},
})
