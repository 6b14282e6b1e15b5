import { boardTables, exactOf, type Measured, overrunOf, runBoard, unmeasured } from '../budget-board/board.ts'
import type { BoardGateway } from '../budget-board/board-gateway.ts'
import { CELLS, nameOf } from '../budget-board/cells.ts'
import { startLitellm } from '../budget-board/litellm.ts'
import { startOurs } from '../budget-board/ours.ts'
import { NANO_PER_USD } from '../budget-board/price.ts'
import { startUpstream } from '../budget-board/upstream.ts'
import type { Comparison, Figure } from '../figure.ts'
import { loadNote } from '../machine-load.ts'
import { LITELLM } from '../router/litellm.ts'

/** Enough to see that it runs. */
const BRIEF = CELLS.filter(({ surface }) => surface === 'chat')

/** @returns undefined where the gateway is unavailable */
async function boardOf(
  start: (upstreamUrl: string) => Promise<BoardGateway | undefined>,
  cells: typeof CELLS,
): Promise<Measured[] | undefined> {
  const upstream = await startUpstream()
  try {
    const gateway = await start(upstream.url)
    if (!gateway) return undefined
    return await runBoard(gateway, upstream, cells).finally(() => gateway.stop())
  } finally {
    await upstream.close()
  }
}

const overrun = (all: readonly Measured[]): number =>
  Number(all.reduce((sum, one) => sum + overrunOf(one), 0n)) / Number(NANO_PER_USD)

/** Why cells have no result. */
const reasons = (name: string, all: readonly Measured[]): string[] =>
  all.flatMap((one) => {
    const reason = unmeasured(one)
    return reason === undefined ? [] : [`${name}, ${nameOf(one.cell)}, ${one.cell.behaviour}: ${reason}.`]
  })

const NOTES = [
  'Embeddings are not streamed, call no tools and read no cache: those cells do not exist.',
  'Portkey measures 0 cells: its gateway has neither keys nor budgets, so there is nothing to set and nothing to read.',
]

export const figure: Figure = {
  title: 'The budget board',
  method:
    'A program speaks only HTTP and owns the upstream. Every cell has its own key with 1 USD, which pays for about half of 128 calls, and 64 workers call in parallel until the key is refused. Spent is what the gateway reports for the key when no call is in progress. Billed is what the upstream sent, at the same price row: all of an answer that it sent whole, nothing of one that it broke off, and, of one that its client left, what had gone out, or nothing if the upstream does not bill such calls. Tokens are those of o200k. A budget is overrun by what the upstream billed beyond it. Ours is one embedded instance, whose budget is a balance bought through x402. LiteLLM is one process with its database; the database’s query engine, a binary that no registry has, is replaced by Prisma’s own in WebAssembly.',
  async run({ brief }) {
    const cells = brief ? BRIEF : CELLS
    const load = loadNote()
    const ours = await boardOf(startOurs, cells)
    if (!ours) throw new Error('ours was not measured')
    const litellm = await boardOf(startLitellm, cells)
    const beside = (of: (all: readonly Measured[]) => number): Pick<Comparison, 'peer'> =>
      litellm && of(litellm) !== 0 ? { peer: { name: 'LiteLLM', value: of(litellm) } } : {}
    const more: Omit<Comparison, 'ours'> = { what: `exact cells, of ${cells.length}`, unit: '', better: 'more' }
    const less: Omit<Comparison, 'ours'> = { what: 'over the budgets, all cells', unit: 'USD', better: 'less' }
    return {
      comparisons: [
        { ...more, ours: exactOf(ours), ...beside(exactOf), target: { value: cells.length } },
        { ...less, ours: overrun(ours), ...beside(overrun), target: { value: 0 } },
      ],
      tables: [...boardTables('ours', ours), ...(litellm ? boardTables('LiteLLM', litellm) : [])],
      notes: [
        load,
        ...NOTES,
        ...reasons('ours', ours),
        ...(litellm ? reasons('LiteLLM', litellm) : ['LiteLLM could not be installed: every cell of it is missing.']),
      ],
      ...(litellm ? { versions: LITELLM } : {}),
    }
  },
}
