import type { Logger } from '@callboard/runtime'
import type { Clock } from '@callboard/values'
import type { Config } from '../config.ts'
import { cdpKey } from './cdp-key.ts'
import { Coinbase } from './coinbase.ts'
import type { OnrampProvider } from './provider.ts'

/** The provider of the settings. @throws Error where an id has no secret, or a secret no id */
export function openOnramp(
  { CDP_KEY_ID: keyId, CDP_KEY_SECRET: secret, CDP_BASE_URL: baseUrl, ONRAMP_TIMEOUT_MS: timeoutMs }: Config,
  parts: { readonly clock: Clock; readonly log: Logger },
): OnrampProvider | undefined {
  if (keyId === undefined && secret === undefined) return undefined
  const key = secret === undefined ? undefined : cdpKey(secret)
  if (keyId === undefined || !key) throw new Error('CDP_KEY_ID and CDP_KEY_SECRET belong together: set both or neither')
  return new Coinbase({ keyId, key, baseUrl, timeoutMs }, parts)
}
