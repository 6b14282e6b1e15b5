import { join } from 'node:path'
import { bundlePrograms } from './bundle-programs.ts'
import { prepareData } from './prepared-data.ts'

/** What tests of a run share and none changes; each is made when the first of them asks for it. */
export class MadeOnce {
  readonly #folderFor: (what: string) => string
  #programs: Promise<string> | undefined
  #data: Promise<string> | undefined

  /** @param folderFor creates a folder that is removed with the run */
  constructor(folderFor: (what: string) => string) {
    this.#folderFor = folderFor
  }

  /** @returns the folder of our programs, bundled to single files */
  programs(): Promise<string> {
    this.#programs ??= this.#bundle()
    return this.#programs
  }

  /** @returns a data folder as an instance's first start leaves it before its services run */
  data(): Promise<string> {
    this.#data ??= this.#prepare()
    return this.#data
  }

  /** Discards the bundles after a source has changed. */
  bundleAgain(): void {
    this.#programs = undefined
  }

  async #bundle(): Promise<string> {
    const folder = this.#folderFor('programs')
    await bundlePrograms(folder)
    return folder
  }

  async #prepare(): Promise<string> {
    const folder = this.#folderFor('data')
    await prepareData(folder, join(await this.programs(), 'main.mjs'))
    return folder
  }
}
