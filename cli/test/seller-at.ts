import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Run, runCommand } from './command.ts'

/** A person who sells with the command, on a machine of their own. */
export class SellerAt {
  readonly folder = temporaryFolder('callboard-seller-')
  readonly wallet
  readonly #key: Hex
  readonly #url: string

  constructor(url: string, key: Hex = generatePrivateKey()) {
    this.#url = url
    this.#key = key
    this.wallet = privateKeyToAccount(key)
  }

  /** Runs `callboard sell` with these words. */
  sell(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    const own = { CALLBOARD_CONFIG_DIR: this.folder, CALLBOARD_URL: this.#url, CALLBOARD_PAYOUT_KEY: this.#key }
    return runCommand(['sell', ...words], { ...own, ...env })
  }

  /** The API key that the command stored. */
  stored(): { readonly id: string; readonly key: string } {
    return JSON.parse(readFileSync(join(this.folder, 'seller.json'), 'utf8'))
  }
}
