import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { lock } from 'proper-lockfile'
import { z } from 'zod'
import { ApiUnreachable } from '../api.ts'
import { writeSecretFile } from '../credentials.ts'

/** An API key that a seller's machine stores, and where it is valid. */
export const StoredApiKey = z.object({
  baseUrl: z.url(),
  /** The owner's wallet. */
  wallet: z.string(),
  id: z.string().min(1),
  label: z.string(),
  key: z.string().regex(/^[\x21-\x7e]+$/),
})
export type StoredApiKey = z.output<typeof StoredApiKey>

/** The file of an API key cannot be used. */
export class ApiKeyFileUnusable extends Error {
  override readonly name = 'ApiKeyFileUnusable'
}

/** An API key in a file of mode 600, which one process at a time creates or ends. */
export class ApiKeyFile {
  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  /** @returns undefined when there is none. @throws ApiKeyFileUnusable: a key that is replaced would stay valid */
  read(): StoredApiKey | undefined {
    try {
      return StoredApiKey.parse(JSON.parse(readFileSync(this.file, 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new ApiKeyFileUnusable(`${this.file} does not hold an API key, or cannot be read`, { cause: error })
    }
  }

  /** @throws ApiUnreachable when what the service calls a key cannot be one */
  keep(stored: StoredApiKey): void {
    const parsed = StoredApiKey.safeParse(stored)
    if (!parsed.success) throw new ApiUnreachable(`${stored.baseUrl} answered without a valid API key`)
    writeSecretFile(this.file, `${JSON.stringify(parsed.data, null, 2)}\n`)
  }

  forget(): void {
    rmSync(this.file, { force: true })
  }

  /** Runs work while no other process creates or ends a key here. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    const release = await lock(this.file, {
      retries: { retries: 100, minTimeout: 50, maxTimeout: 500 },
      stale: 15_000,
      realpath: false,
    })
    try {
      return await work()
    } finally {
      await release()
    }
  }
}
