import { boardTables, exactOf, type Measured, overrunOf, runBoard, unmeasured } from '../budget-board/board.ts'
import type { BoardGateway } from '../budget-board/board-gateway.ts'
import { CELLS, nameOf } from '../budget-board/cells.ts'
import { startOurs } from '../budget-board/ours.ts'
import { NANO_PER_USD } from '../budget-board/price.ts'
import { startUpstream } from '../budget-board/upstream.ts'
import type { Figure } from '../figure.ts'

/** To see that it runs: a few of all kinds. */
const BRIEF = CELLS.filter(({ surface }) => surface === 'chat')

async function measured(start: (upstreamUrl: string) => Promise<BoardGateway>, brief: boolean): Promise<Measured[]> {
  const upstream = await startUpstream()
  const gateway = await start(upstream.url)
  try {
    return await runBoard(gateway, upstream, brief ? BRIEF : CELLS)
  } finally {
    await gateway.stop()
    await upstream.close()
  }
}

const overrun = (all: readonly Measured[]): number =>
  Number(all.reduce((sum, one) => sum + overrunOf(one), 0n)) / Number(NANO_PER_USD)

/** Why cells say nothing. */
const reasons = (name: string, all: readonly Measured[]): string[] =>
  all.flatMap((one) => {
    const reason = unmeasured(one)
    return reason === undefined ? [] : [`${name}, ${nameOf(one.cell)}, ${one.cell.behaviour}: ${reason}.`]
  })

export const figure: Figure = {
  title: 'The budget board',
  method: 'TBD',
  async run({ brief }) {
    const ours = await measured(startOurs, brief === true)
    const cells = (brief ? BRIEF : CELLS).length
    for (const one of ours) console.log(one)
    return {
      comparisons: [
        { what: `exact cells, of ${cells}`, unit: '', better: 'more', ours: exactOf(ours), target: { value: cells } },
        { what: 'over the budgets, all cells', unit: 'USD', better: 'less', ours: overrun(ours), target: { value: 0 } },
      ],
      tables: boardTables('ours', ours),
      notes: reasons('ours', ours),
    }
  },
}
