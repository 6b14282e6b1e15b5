import { existsSync, renameSync, rmSync } from 'node:fs'
import { partFolder, sweepParts } from './part-folder.ts'

/** What this process is installing, by place: two suites may use the same packages. */
const installing = new Map<string, Promise<void>>()

/**
 * Installs what tests need at a place, unless it is there. It is prepared next to the place and moved there in one
 * step, so that it is complete; of several processes the first to finish wins.
 * @param into fills a folder
 */
export async function installOnce(place: string, into: (folder: string) => Promise<unknown>): Promise<void> {
  sweepParts(place)
  if (existsSync(place)) return
  const running = installing.get(place) ?? install(place, into)
  installing.set(place, running)
  await running
}

async function install(place: string, into: (folder: string) => Promise<unknown>): Promise<void> {
  const work = partFolder(place)
  try {
    await into(work)
    renameSync(work, place)
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(place)) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
