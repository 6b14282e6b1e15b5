import { readFile, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { fileStamp } from '@callboard/runtime'
import type { ModelEntry, RouterModels, UpstreamEntry } from '../domain/model.ts'
import { readModelsText } from './models-file.ts'

/** The models of one version of the file. */
export interface Models {
  readonly all: readonly ModelEntry[]
  readonly upstreams: readonly UpstreamEntry[]
  find(id: string): ModelEntry | undefined
  /** @throws Error for a name that is not in the file, which its validation rules out */
  upstreamOf(name: string): UpstreamEntry
}

type Reloaded = 'unchanged' | 'loaded' | { readonly faults: readonly string[] }

/** The models on sale, according to their file; calls under way keep the version they began with. */
export class ModelSet {
  readonly #file: string | undefined
  /** Of the version that was read last. */
  #stamp: string | undefined
  /** Why it could not be read the last time, which is said once. */
  #unreadable: string | undefined
  #current = modelsOf({ upstreams: [], models: [] })

  constructor(file: string | undefined) {
    this.#file = file
  }

  get current(): Models {
    return this.#current
  }

  /** Reads the file if it changed since the last time. */
  async reload(): Promise<Reloaded> {
    if (this.#file === undefined) return 'unchanged'
    try {
      // A file that does not exist yet sells nothing; one that was deleted changes nothing.
      const file = await stat(this.#file, { throwIfNoEntry: false })
      const stamp = file && fileStamp(file)
      if (!stamp || stamp === this.#stamp) return 'unchanged'
      const text = await readFile(this.#file, 'utf8')
      this.#stamp = stamp
      this.#unreadable = undefined
      const read = readModelsText(text)
      if (!read.ok) return { faults: read.faults }
      this.#current = modelsOf(read.models)
      return 'loaded'
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'unchanged'
      const fault = error instanceof Error ? error.message : String(error)
      if (fault === this.#unreadable) return 'unchanged'
      this.#unreadable = fault
      return { faults: [fault] }
    }
  }
}

/** The upstreams of a version of the file whose entry is new or different from an earlier version's. */
export const changedSince = (earlier: Models, { upstreams }: Models): UpstreamEntry[] =>
  upstreams.filter((upstream) => !earlier.upstreams.some((known) => isDeepStrictEqual(known, upstream)))

function modelsOf({ models, upstreams }: RouterModels): Models {
  const byId = new Map(models.map((model) => [model.id, model]))
  const byName = new Map(upstreams.map((upstream) => [upstream.name, upstream]))
  return {
    all: models,
    upstreams,
    find: (id) => byId.get(id),
    upstreamOf(name) {
      const upstream = byName.get(name)
      if (!upstream) throw new Error(`There is no upstream ${name}`)
      return upstream
    },
  }
}
