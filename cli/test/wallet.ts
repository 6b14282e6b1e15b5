import { walletOf } from '../src/settings.ts'

/** A process of its own that makes a wallet where there is none: `wallet.ts FOLDER` prints its address. */
const [folder = ''] = process.argv.slice(2)
console.log(walletOf({ folder, baseUrl: 'http://127.0.0.1:1', json: false }, true).address)
