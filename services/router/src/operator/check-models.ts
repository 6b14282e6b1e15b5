import { SECOND_MS } from '@callboard/values'
import { z } from 'zod'
import type { ModelEntry, RouterModels, UpstreamEntry } from '../domain/model.ts'
import { NoKeyError } from '../models/upstream-keys.ts'
import { type UpstreamAnswer, Upstreams } from '../models/upstreams.ts'
import { callEachApi } from './call-each-api.ts'
import type { Printed } from './list-models.ts'
import { priceNotes } from './price-notes.ts'

const PATIENCE_MS = 10 * SECOND_MS

const Listed = z.object({ data: z.array(z.object({ id: z.string() })), has_more: z.boolean().optional() })

/** An upstream's answer to which models it has. */
interface Seen {
  readonly upstream: UpstreamEntry
  readonly fault: string | undefined
  /** The models that it has; undefined if it does not list them all. */
  readonly ids: ReadonlySet<string> | undefined
}

export interface CheckOptions {
  /** Whether to ask every upstream for one token of each model, which costs money. */
  readonly call: boolean
  /** In the form `2026-11-23`. */
  readonly today: string
}

/** Asks every upstream in the file which models it has, and compares the prices with the public ones. */
export async function checkModels(
  { models, upstreams }: RouterModels,
  { call, today }: CheckOptions,
): Promise<Printed> {
  const pools = new Upstreams()
  try {
    const seen = await Promise.all(upstreams.map((upstream) => look(pools, upstream)))
    const faults = [
      ...seen.flatMap(({ upstream, fault }) => (fault === undefined ? [] : [`${upstream.name}: ${fault}`])),
      ...models.flatMap((model) => missing(model, seen)),
    ]
    const reached = seen.filter(({ fault }) => fault === undefined)
    const called = call ? await callEach(pools, models, reached) : []
    faults.push(...called.filter(({ isFault }) => isFault).map(({ line }) => line))
    const lines = [
      ...reached.map(
        ({ upstream, ids }) => `${upstream.name}: reached, ${ids ? `${ids.size} models` : 'lists no models'}`,
      ),
      ...called.filter(({ isFault }) => !isFault).map(({ line }) => line),
      ...models.flatMap((model) => priceNotes(model, today)).map((note) => `note  ${note}`),
      ...faults.map((fault) => `fault ${fault}`),
      `${models.length} models, ${upstreams.length} upstreams, ${faults.length} faults`,
    ]
    return { lines, faults: faults.length }
  } finally {
    await pools.close()
  }
}

async function look(pools: Upstreams, upstream: UpstreamEntry): Promise<Seen> {
  try {
    const answer = await pools.list(upstream, AbortSignal.timeout(PATIENCE_MS))
    const { statusCode: status } = answer
    if (status >= 200 && status < 300) return { upstream, fault: undefined, ids: await idsIn(answer) }
    await answer.body.dump()
    // Not every server that speaks the API has this list.
    const fault = status === 404 || status === 405 ? undefined : faultOf(status)
    return { upstream, fault, ids: undefined }
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    return {
      upstream,
      fault: error instanceof NoKeyError ? `no key: ${reason}` : `cannot be reached: ${reason}`,
      ids: undefined,
    }
  }
}

const faultOf = (status: number) =>
  status === 401 || status === 403 ? `unauthorised: it refuses the key with ${status}` : `answers ${status}`

async function idsIn({ body }: UpstreamAnswer): Promise<Set<string> | undefined> {
  const listed = Listed.safeParse(await body.json().catch(() => undefined))
  return listed.success && !listed.data.has_more ? new Set(listed.data.data.map(({ id }) => id)) : undefined
}

/** The upstreams of a model whose own list does not include it. */
const missing = (model: ModelEntry, seen: readonly Seen[]): string[] =>
  model.upstreams.flatMap(({ upstream: name, model: there = model.id }) => {
    const ids = seen.find(({ upstream }) => upstream.name === name)?.ids
    return ids && !ids.has(there) ? [`${model.id}: ${name} has no model ${there}`] : []
  })

async function callEach(pools: Upstreams, models: readonly ModelEntry[], seen: readonly Seen[]) {
  const called: { line: string; isFault: boolean }[] = []
  for (const model of models) {
    for (const { upstream: name, model: there = model.id } of model.upstreams) {
      const upstream = seen.find((one) => one.upstream.name === name)?.upstream
      if (!upstream) continue
      const problem = await callEachApi(pools, { upstream, model: there, capabilities: model.capabilities })
      const line = `${model.id}: ${name} ${problem ?? 'answers'}`
      called.push({ line, isFault: problem !== undefined })
    }
  }
  return called
}
