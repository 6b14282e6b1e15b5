import { type SellerSettings, startSeller } from './seller.ts'

/** A seller in a process of its own, with the settings that its parent sends. Reports its URL. */
process.on('message', async (settings) => process.send?.(await startSeller(settings as SellerSettings)))
process.on('disconnect', () => process.exit(0))
