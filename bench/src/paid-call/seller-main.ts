import { type SellerSettings, startSeller } from './seller.ts'

/** A seller in a process of its own, on the settings that its parent sends. Says where it sells. */
process.on('message', async (settings) => process.send?.(await startSeller(settings as SellerSettings)))
process.on('disconnect', () => process.exit(0))
