import type { catalog } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { usageOf } from '../store/wallet-usage.repository.ts'

export const walletUsage: CatalogHandler<typeof catalog.walletUsage> = ({ wallet }, { db, clock, resources }) =>
  resources.usages(wallet, async () => ({
    wallet,
    generatedAt: isoTime(clock.now()),
    ...(await usageOf(db, wallet, clock.now())),
  }))
