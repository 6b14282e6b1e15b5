import { movementsOn } from './chain-truth.ts'
import { foundAfter, type Invariant } from './invariant.ts'

interface Row {
  readonly tx_hash: string
  readonly log_index: number
  readonly amount: string
}

const WITHIN_MS = 60_000

/** What stands on one side and not on the other. */
function differences(name: string, rows: readonly string[], truth: ReadonlySet<string>): string[] {
  const seen = new Set(rows)
  const found = rows.filter((row) => !truth.has(row)).map((row) => `${name} has ${row}, the chain has not`)
  found.push(...[...truth].filter((row) => !seen.has(row)).map((row) => `the chain has ${row}, ${name} has not`))
  if (seen.size !== rows.length) found.push(`${name} has ${rows.length - seen.size} rows twice`)
  return found
}

/** Indexer, directory and facilitator say of every settlement what the chain says, to the unit. */
export const ledger: Invariant = {
  name: 'the ledgers equal the chain to the unit',
  broken: ({ devnet, stage, db }) =>
    foundAfter(WITHIN_MS, async () => {
      const payers = stage.payers.map(({ address }) => address)
      const movements = (await movementsOn(devnet)).filter(({ payer }) => payers.includes(payer as never))
      const truth = new Set(movements.map((one) => `${one.transaction}/${one.logIndex} ${one.value}`))
      const line = (row: Row) => `${row.tx_hash}/${row.log_index} ${row.amount}`
      const indexed = await db.query<Row>(
        'select tx_hash, log_index, amount::text from chain_indexer.settlement where payer = any($1)',
        [payers],
      )
      const shown = await db.query<Row>(
        `select tx_hash, log_index, (amount_usd::numeric * 1000000)::numeric(78,0)::text as amount
         from catalog.settlement where payer = any($1) and not reverted`,
        [payers],
      )
      const settled = await db.query<{ nonce: string; settled_tx: string | null }>(
        `select nonce, settled_tx from x402_facilitator.payment where payer = any($1) and state in ('mined', 'final')`,
        [payers],
      )
      const paid = new Set(movements.map((one) => `${one.nonce} in ${one.transaction}`))
      return [
        ...differences('the indexer', indexed.rows.map(line), truth),
        ...differences('the directory', shown.rows.map(line), truth),
        ...differences(
          'the facilitator',
          settled.rows.map((row) => `${row.nonce} in ${row.settled_tx}`),
          paid,
        ),
      ]
    }),
}
