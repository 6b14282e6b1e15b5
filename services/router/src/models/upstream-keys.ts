import { readFile, stat } from 'node:fs/promises'
import { fileStamp } from '@callboard/runtime'
import type { UpstreamEntry } from '../domain/model.ts'

/** An upstream needs a key, and there is none. */
export class NoKeyError extends Error {}

interface KeyFile {
  readonly stamp: string
  readonly key: string
}

/** Upstreams' keys, from the environment or from files such as mounted secrets, each read once until it changes. */
export class UpstreamKeys {
  readonly #files = new Map<string, KeyFile>()
  /** Files that had no key when one was needed. */
  readonly #missing = new Set<string>()

  /** @returns undefined if the upstream needs none @throws NoKeyError */
  async keyOf({ apiKeyEnv, apiKeyFile }: UpstreamEntry): Promise<string | undefined> {
    if (apiKeyEnv !== undefined) {
      const key = process.env[apiKeyEnv]
      if (!key) throw new NoKeyError(`the environment has no ${apiKeyEnv}`)
      return key
    }
    if (apiKeyFile === undefined) return undefined
    return (this.#files.get(apiKeyFile) ?? (await this.#read(apiKeyFile))).key
  }

  /** Rereads what changed. @returns the upstreams whose key changed, is gone, or is there at last */
  async refresh(upstreams: readonly UpstreamEntry[]): Promise<UpstreamEntry[]> {
    const named = new Set(upstreams.map(({ apiKeyFile }) => apiKeyFile))
    const changed = new Set<string>()
    for (const path of [...this.#missing]) {
      if (named.has(path) && !(await this.#read(path).catch(() => undefined))) continue
      this.#missing.delete(path)
      changed.add(path)
    }
    for (const [path, { stamp, key }] of [...this.#files]) {
      if (named.has(path) && (await stampOf(path)) === stamp) continue
      this.#files.delete(path)
      if (!named.has(path)) continue
      const read = await this.#read(path).catch(() => undefined)
      if (read?.key !== key) changed.add(path)
    }
    return upstreams.filter(({ apiKeyFile }) => apiKeyFile !== undefined && changed.has(apiKeyFile))
  }

  async #read(path: string): Promise<KeyFile> {
    try {
      // The stamp is read first: a file that changes in between is read once more.
      const stamp = (await stampOf(path)) ?? ''
      const key = (await readFile(path, 'utf8')).trim()
      if (key === '') throw new Error('it is empty')
      const file = { stamp, key }
      this.#files.set(path, file)
      return file
    } catch (error) {
      this.#missing.add(path)
      throw new NoKeyError(`${path} has no key`, { cause: error })
    }
  }
}

const stampOf = (path: string): Promise<string | undefined> => stat(path).then(fileStamp, () => undefined)
