import { refuse } from '@callboard/values'
import type { ListingsContext } from '../context.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Refuses an origin that cannot be claimed; undefined for https and, on a devnet, for this machine. */
export function originRefused({ config }: Pick<ListingsContext, 'config'>, origin: string) {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:' || (config.DEVNET && LOOPBACK.has(hostname))) return undefined
  return refuse('invalid_request', { field: 'origin', message: 'origin must be https' })
}
