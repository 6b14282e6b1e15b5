import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startIdle } from '../idle/instance.ts'
import { processesOf } from '../idle/processor-time.ts'
import { corpus, type Kind, type Size } from './corpus.ts'
import type { Asked } from './serve.ts'
import { startCorpus } from './server.ts'
import { type Standing, type Watching, watchMirror } from './standing.ts'

const LOOK_EVERY_MS = 250
/** Anything that takes longer is stuck. */
const NO_LONGER_THAN_MS = 60 * 60_000

/** The results for a corpus, and their cost. */
export interface Night {
  readonly importedMs: number
  readonly endedMs: number
  readonly standing: Standing
  readonly asked: Asked
  /** Of the instance without its chain, in milliseconds. */
  readonly cpuMs: { readonly node: number; readonly postgres: number }
  /** The peak memory of the services' process, in MiB. */
  readonly peakMiB: number
  readonly sizes: Awaited<ReturnType<Watching['sizes']>>
}

/**
 * A whole embedded instance imports a source with a corpus, from the moment when the source is configured until each
 * endpoint can be paid in the directory or is refused with a reason. All pace settings are those of the product.
 * @throws Error when one of them does not match the corpus, or it does not end
 */
export async function mirrorNight(size: Size): Promise<Night> {
  const instance = await startIdle(false)
  const watching = await watchMirror(instance.databaseUrl)
  try {
    const { usdc } = JSON.parse(readFileSync(join(instance.folder, 'devnet.json'), 'utf8'))
    const served = await startCorpus(size, { ...usdc, payTo: PAYEE })
    try {
      const before = cpuOf(instance.pid)
      const begun = performance.now()
      const source = { name: 'corpus', kind: 'facilitator', url: served.sourceUrl }
      // JSON is YAML.
      writeFileSync(join(instance.folder, 'mirror.sources.yaml'), JSON.stringify({ sources: [source] }))
      let importedMs: number | undefined
      let standing = await watching.standing()
      while (standing.shown + standing.refused < size.resources) {
        const elapsed = performance.now() - begun
        if (elapsed > NO_LONGER_THAN_MS) throw new Error(`it stands still at ${JSON.stringify(standing)}`)
        if (standing.rows === size.resources) importedMs ??= elapsed
        await wait(LOOK_EVERY_MS)
        standing = await watching.standing()
      }
      const endedMs = performance.now() - begun
      const after = cpuOf(instance.pid)
      requireTruth(size, standing)
      return {
        ...{ importedMs: importedMs ?? endedMs, endedMs, standing },
        asked: await served.asked(),
        cpuMs: { node: after.node - before.node, postgres: after.postgres - before.postgres },
        peakMiB: peakMiB(instance.pid),
        sizes: await watching.sizes(),
      }
    } finally {
      await served.stop()
    }
  } finally {
    await watching.end()
    await instance.stop()
  }
}

/** An account of the devnet's mnemonic. */
const PAYEE = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const PAYABLE: ReadonlySet<Kind> = new Set(['payable'])

/** The outcomes must match the endpoints' answers. */
function requireTruth(size: Size, { payable, refused }: Standing): void {
  const expected = corpus(size).filter(({ kind }) => PAYABLE.has(kind)).length
  if (payable !== expected || refused !== size.resources - expected)
    throw new Error(`${payable} are payable and ${refused} refused, where ${expected} of ${size.resources} can be paid`)
}

/** Ended backends of Postgres are left out: the services' pools keep theirs. */
function cpuOf(pid: number) {
  const all = processesOf(pid)
  const sum = (chosen: (command: string) => boolean) =>
    all.filter(({ command }) => chosen(command)).reduce((total, { ms }) => total + ms, 0)
  const isPostgres = (command: string) => /postgres/.test(command)
  return { postgres: sum(isPostgres), node: sum((command) => !isPostgres(command) && !/anvil/.test(command)) }
}

/** @source proc(5): VmHWM, the peak of the resident set */
const peakMiB = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
