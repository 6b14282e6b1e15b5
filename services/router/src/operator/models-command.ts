import { readFile } from 'node:fs/promises'
import { readModelsText } from '../models/models-file.ts'
import { checkModels } from './check-models.ts'
import { listModels, type Printed } from './list-models.ts'

export interface ModelsCommand {
  readonly verb: 'list' | 'check'
  /** The file of `ROUTER_MODELS`. */
  readonly file: string
  /** For `check`: whether to ask every model for one token. */
  readonly call: boolean
}

/** Runs `models list` and `models check`; a broken file is reported and nothing else. */
export async function modelsCommand({ verb, file, call }: ModelsCommand): Promise<Printed> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`${file} cannot be read: ${cause.message}`, { cause })
  })
  const read = readModelsText(text)
  if (!read.ok) return { lines: read.faults.map((fault) => `fault ${file}, ${fault}`), faults: read.faults.length }
  if (verb === 'list') return listModels(read.models)
  return checkModels(read.models, { call, today: new Date().toISOString().slice(0, 10) })
}
