import { Api } from '@callboard/client'
import { argumentsOf, type Tool, tools } from '@callboard/contract'
import type { Settings } from '../settings.ts'
import { answered, type LocalTool } from './local-tool.ts'

/** Reads that need no credential; the others are tools of the hosted server, which knows whom it talks to. */
const isOpen = ({ op: { http } }: Tool): boolean => http.auth === 'none' && http.method === 'GET'

/** The reads of the directory and of what was observed on chain, asked of the service over HTTP. */
export function directoryTools({ baseUrl }: Settings): LocalTool[] {
  const api = new Api({ baseUrl })
  return tools.filter(isOpen).map(({ op, listed }) => ({
    listed,
    run: async (given, cancelled) => answered((await api.call(op, argumentsOf(given), cancelled)) as object),
  }))
}
