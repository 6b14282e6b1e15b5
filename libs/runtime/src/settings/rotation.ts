import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { LiveSettings } from './live-settings.ts'

/**
 * Polls the files of rotating settings until it is stopped. Files are read, not watched: a mounted Secret is swapped by
 * a link above it, which notifies no watcher of the file.
 * @returns a function that stops it
 */
export function followFiles(
  live: LiveSettings,
  everyMs: number,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): () => Promise<void> {
  if (live.settings.length === 0) return async () => {}
  metrics.collectors.add('files of secrets', () =>
    live.settings.map((setting) => ({
      gauge: metrics.secretRefused,
      labels: { setting },
      value: live.refusal(setting) === undefined ? 0 : 1,
    })),
  )
  for (const setting of live.settings) metrics.secretsRotated.inc({ setting }, 0)
  const look = () => {
    for (const { setting, refused } of live.look()) {
      if (refused) log.error({ setting, refused }, 'the new text of a secret is refused: the old one serves on')
      else {
        metrics.secretsRotated.inc({ setting })
        log.info({ setting }, 'a secret was replaced')
      }
    }
  }
  const timer = setInterval(look, everyMs)
  return async () => clearInterval(timer)
}
