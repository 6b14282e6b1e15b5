import { setTimeout as wait } from 'node:timers/promises'
import { ledgerFaults } from '../../../services/router/src/store/ledger.repository.ts'
import { type MoneyWorld, rowsOf } from './world.ts'

/** States that must never be visible. One statement, so that it sees one moment. */
const overspent = (computeADay: bigint) => `
  select 'balance of ' || owner || ': ' || concat_ws(' + ', spent_nano, held_nano) || ' of ' || purchased_nano as fault
  from router.balance where spent_nano + held_nano > purchased_nano or least(spent_nano, held_nano) < 0
  union all
  select 'budget of ' || subject || ': ' || concat_ws(' + ', spent_nano, held_nano) || ' of ' || bound
  from (select *, case when subject like 'owner:%' then ${computeADay} else limit_nano end as bound from router.budget) budget
  where spent_nano + held_nano > bound or least(spent_nano, held_nano) < 0
  union all
  select 'key ' || id || ' paid in ' || paid_in_nano || ' and spends ' || concat_ws(' + ', paid_in_spent_nano, paid_in_held_nano)
  from router.router_key where paid_in_spent_nano + paid_in_held_nano > paid_in_nano or under_way < 0
  union all
  select 'transfer ' || transfer_id || ' sums to ' || sum(amount_nano)
  from router.ledger_entry group by transfer_id having sum(amount_nano) <> 0`

/** One in this many polls compares all of the books with each other, which takes longer. */
const WHOLE_EVERY = 40
/** The pause between two polls: the calls need the cores, too. */
const REST_MS = 10

/** Polls the books many times a second for as long as the walk lasts. */
export class Watcher {
  looks = 0
  /** Polls of all of the books. */
  wholeLooks = 0
  /** Polls that Postgres did not answer because it was killed. */
  missed = 0
  /** The first violation. */
  fault: string | undefined

  /** @param found called at the first fault */
  async run(world: MoneyWorld, over: AbortSignal, found: (fault: string) => void): Promise<void> {
    const statement = overspent(world.computeADay)
    for (let turn = 1; !over.aborted && this.fault === undefined; turn += 1) {
      await wait(REST_MS)
      const isWhole = turn % WHOLE_EVERY === 0
      try {
        const faults = isWhole
          ? await ledgerFaults(world.books.db as never)
          : (await rowsOf<{ fault: string }>(world, statement)).map(({ fault }) => fault)
        if (isWhole) this.wholeLooks += 1
        else this.looks += 1
        if (faults[0] === undefined) continue
        this.fault = faults[0]
        found(this.fault)
      } catch {
        this.missed += 1
      }
    }
  }
}
