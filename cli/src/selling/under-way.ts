import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeSecretFile } from '@callboard/client'
import { z } from 'zod'
import type { Settings } from '../settings.ts'

/** A publication that took a live listing offline, and has not ended. */
const Begun = z.object({
  /** Whether a review of the listing was requested or granted: going offline ends it. */
  isReviewed: z.boolean(),
})
export type Begun = z.output<typeof Begun>

/**
 * What this machine has begun with one listing of a service, in a file until it has ended: the service does not know why a
 * listing is offline, nor that it was reviewed.
 */
export class UnderWay {
  readonly #file: string

  constructor({ folder }: Settings, baseUrl: string, slug: string) {
    // A service chooses its slugs: none becomes part of a path.
    const of = createHash('sha256')
      .update(JSON.stringify([new URL(baseUrl).origin, slug]))
      .digest('hex')
    this.#file = join(folder, `publishing-${of.slice(0, 16)}.json`)
  }

  read(): Begun | undefined {
    try {
      return Begun.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      // Without it, `publish` asks what is to become of the listing.
      return undefined
    }
  }

  begin(begun: Begun): void {
    try {
      writeSecretFile(this.#file, `${JSON.stringify(begun)}\n`)
    } catch {
      // A job may have no folder of its own. Its next run asks, as above.
    }
  }

  end(): void {
    rmSync(this.#file, { force: true })
  }
}
