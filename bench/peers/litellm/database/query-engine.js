import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '@prisma/client'
import { parse } from 'graphql'
import { argumentsOf, selectionOf } from './arguments.js'
import { rawParameters, rawResult, shown } from './results.js'

/**
 * Stands where LiteLLM’s Python client of Prisma starts its query engine, a binary that no package registry has: takes its GraphQL over
 * HTTP, and has Prisma’s own client for the same schema, with its compiler of queries in WebAssembly, carry it out.
 */
const VERSION = '393aa359c9ad4a4bb28630fb5613f9c281cde053'
const POOL = 10

const given = process.argv.slice(2)
if (given.includes('--version')) {
  console.log(`query-engine ${VERSION}`)
  process.exit(0)
}

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: POOL })
const client = new PrismaClient({ adapter })
const transactions = new Map()

const ACTIONS = [
  [/^findUnique(\w+)OrThrow$/, 'findUniqueOrThrow'],
  [/^findFirst(\w+)OrThrow$/, 'findFirstOrThrow'],
  [/^(?:create|update|delete|upsert)One(\w+)$/, undefined],
  [/^(findUnique|findFirst|findMany|createMany|updateMany|deleteMany|aggregate|groupBy)(\w+)$/, undefined],
]

function actionOf(name) {
  for (const [pattern, action] of ACTIONS) {
    const found = pattern.exec(name)
    if (!found) continue
    if (action) return { action, model: found[1] }
    if (found.length === 3) return { action: found[1], model: found[2] }
    return { action: name.slice(0, name.indexOf('One')), model: found[1] }
  }
  throw new Error(`unknown action ${name}`)
}

const lowerFirst = (word) => word[0].toLowerCase() + word.slice(1)

async function carryOut(db, query) {
  const [operation] = parse(query, { noLocation: true }).definitions
  const [field] = operation.selectionSet.selections
  const name = field.name.value
  if (name === 'queryRaw' || name === 'executeRaw') {
    const { query: sql, parameters } = argumentsOf(undefined, field)
    const values = rawParameters(parameters)
    return name === 'queryRaw'
      ? rawResult(await db.$queryRawUnsafe(sql, ...values))
      : await db.$executeRawUnsafe(sql, ...values)
  }
  const { action, model } = actionOf(name)
  const args = argumentsOf(model, field)
  const delegate = db[lowerFirst(model)]
  if (action === 'createMany' || action === 'updateMany' || action === 'deleteMany') return delegate[action](args)
  const select = selectionOf(model, field)
  if (action === 'groupBy') {
    const grouped = [args.by].flat()
    const aggregates = Object.fromEntries(Object.entries(select).filter(([key]) => !grouped.includes(key)))
    return shown(model, await delegate.groupBy({ ...args, by: grouped, ...unwrapped(aggregates) }))
  }
  if (action === 'aggregate') return shown(model, await delegate.aggregate({ ...args, ...unwrapped(select) }))
  return shown(model, await delegate[action]({ ...args, select }))
}

/** `_count: { select: { _all: true } }` is `_count: { _all: true }` where it is no relation. */
const unwrapped = (select) =>
  Object.fromEntries(Object.entries(select).map(([key, value]) => [key, value?.select ?? value]))

function errorOf(error) {
  const known = error instanceof Prisma.PrismaClientKnownRequestError
  if (!known) console.error(`query-engine: ${error?.stack ?? error}`)
  const message = String(error?.message ?? error)
  const facing = { is_panic: false, message, meta: error?.meta ?? {}, ...(known ? { error_code: error.code } : {}) }
  return { error: message, user_facing_error: facing }
}

const answered = (work) =>
  work.then(
    (result) => ({ data: { result } }),
    (error) => ({ errors: [errorOf(error)] }),
  )

const LIMITS = { timeout: 60_000, maxWait: 10_000 }

/** Opens an interactive transaction, which stays open until it is told how to end. */
function begin() {
  const id = crypto.randomUUID()
  return new Promise((opened, failed) => {
    const over = client.$transaction(
      (db) =>
        new Promise((commit, rollback) => {
          const end = async (isKept) => {
            transactions.delete(id)
            if (isKept) commit()
            else rollback(new Error('rolled back'))
            await over.catch(() => undefined)
          }
          transactions.set(id, { db, end })
          opened(id)
        }),
      LIMITS,
    )
    over.catch(failed)
  })
}

async function handle(method, path, headers, body) {
  if (path === '/status') return { status: 'ok' }
  if (path === '/transaction/start') return { id: await begin() }
  const ending = /^\/transaction\/([^/]+)\/(commit|rollback)$/.exec(path)
  if (ending) {
    await transactions.get(ending[1])?.end(ending[2] === 'commit')
    return {}
  }
  if (method !== 'POST') return {}
  const { query, batch, transaction } = JSON.parse(body)
  const db = transactions.get(headers['x-transaction-id'])?.db ?? client
  if (!batch) return answered(carryOut(db, query))
  const all = async (on) => {
    const results = []
    for (const { query: one } of batch) results.push({ data: { result: await carryOut(on, one) } })
    return results
  }
  const work = transaction && db === client ? client.$transaction(all, LIMITS) : all(db)
  return work.then(
    (batchResult) => ({ batchResult }),
    (error) => ({ errors: [errorOf(error)] }),
  )
}

const server = createServer(async (req, res) => {
  const answer = await handle(req.method, req.url.split('?')[0], req.headers, await text(req)).catch((error) => ({
    errors: [errorOf(error)],
  }))
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.keepAliveTimeout = 600_000
server.listen(Number(given[given.indexOf('-p') + 1]))
// It is not told when its parent ends otherwise than in order.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(0), 500).unref()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
