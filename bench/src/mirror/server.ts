import { join } from 'node:path'
import { startChild } from '@callboard/embedded'
import { type Size, SOURCE_HOST } from './corpus.ts'
import type { Asked } from './serve.ts'

const PREFIX = 'corpus: '

/** The process that serves the source and all origins. */
export interface Corpus {
  readonly sourceUrl: string
  asked(): Promise<Asked>
  stop(): Promise<void>
}

/** @param token that the payable endpoints ask for */
export async function startCorpus(
  { resources, origins }: Size,
  { address, name, payTo }: { readonly address: string; readonly name: string; readonly payTo: string },
): Promise<Corpus> {
  let line = ''
  const child = await startChild({
    what: 'The corpus',
    command: process.execPath,
    args: [join(import.meta.dirname, 'serve.ts'), String(resources), String(origins), address, name, payTo],
    ready: /^corpus: /,
    readyWithinMs: 20_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
    log: (printed) => {
      if (printed.startsWith(PREFIX)) line = printed
    },
  })
  const port = line.slice(PREFIX.length)
  return {
    sourceUrl: `http://${SOURCE_HOST}:${port}/discovery/resources`,
    asked: async () => (await (await fetch(`http://127.0.0.1:${port}/asked`)).json()) as Asked,
    stop: () => child.stop(),
  }
}
