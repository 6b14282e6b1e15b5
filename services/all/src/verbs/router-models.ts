import { type ModelsCommand, modelsCommand } from '@callboard/router'
import type { Env } from '@callboard/runtime'
import { dataFolder, readInstance } from '../data-folder.ts'

/** Prints the models in the router's file, or what is wrong with them. @returns the exit code */
export async function printModels(env: Env, command: Omit<ModelsCommand, 'file'>): Promise<number> {
  const file = env.ROUTER_MODELS || readInstance(dataFolder(env))?.env.ROUTER_MODELS
  if (!file) throw new Error('There is no file of models: set ROUTER_MODELS, or start an instance with npm start.')
  const { lines, faults } = await modelsCommand({ ...command, file })
  console.log(lines.join('\n'))
  return faults === 0 ? 0 : 1
}
