import type { AfterRestore } from '@callboard/runtime'
import type { AgentsContext } from './context.ts'
import { tellOfUnsettled } from './store/link.repository.ts'
import { endEverything, type InForce, linksInForce } from './store/restore.repository.ts'

/**
 * Ends every link, every trust in a device and every relay: the tables cannot say which ended in the lost time
 * (docs/adr/0100). The job completes the ends of links, including their tokens and Router keys.
 */
export async function afterRestore(ctx: AgentsContext, { dryRun }: AfterRestore): Promise<string[]> {
  const inForce = await linksInForce(ctx.db)
  if (dryRun) return [told(inForce, 'would end')]
  await ctx.db.transaction().execute(async (tx) => {
    await endEverything(tx, new Date(ctx.clock.now()))
    await tellOfUnsettled(tx)
  })
  return [told(inForce, 'end')]
}

const told = ({ links, trusts, relays }: InForce, what: string): string =>
  `${links} links, ${trusts} trusted devices and ${relays} relays ${what}`
