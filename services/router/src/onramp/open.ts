import { derived, type Logger } from '@callboard/runtime'
import type { Clock } from '@callboard/values'
import type { Config } from '../config.ts'
import { type CdpKey, cdpKey } from './cdp-key.ts'
import { Coinbase } from './coinbase.ts'
import type { OnrampProvider } from './provider.ts'

/** Opens the configured provider. @throws Error for an id without a secret, or a secret without an id */
export function openOnramp(
  config: Config,
  parts: { readonly clock: Clock; readonly log: Logger },
): OnrampProvider | undefined {
  const { CDP_KEY_ID: keyId, CDP_KEY_SECRET: secret, CDP_BASE_URL: baseUrl, ONRAMP_TIMEOUT_MS: timeoutMs } = config
  if (keyId === undefined && secret === undefined) return undefined
  if (keyId === undefined || secret === undefined)
    throw new Error('CDP_KEY_ID and CDP_KEY_SECRET belong together: set both or neither')
  const key = derived(() => config.CDP_KEY_SECRET ?? secret, keyIn)
  return new Coinbase({ keyId, key, baseUrl, timeoutMs }, parts)
}

/** The key in a secret that the settings have already checked. */
function keyIn(secret: string): CdpKey {
  const key = cdpKey(secret)
  if (!key) throw new Error('CDP_KEY_SECRET holds no key')
  return key
}
