import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startChild } from '@callboard/embedded'
import { program } from '../../../libs/testkit/src/servers/programs.ts'
import { cpuTimeMs } from '../cpu-time.ts'
import { CERTIFICATE } from './certificate.ts'

const NAME = 'prometheus-blackbox-exporter'

/** Requests the same as our probe: a 402 with an offer, over a fresh connection each time. */
const config = (caFile: string) => ({
  modules: {
    paywall: {
      prober: 'http',
      timeout: '5s',
      http: {
        valid_status_codes: [402],
        preferred_ip_protocol: 'ip4',
        ip_protocol_fallback: false,
        fail_if_header_not_matches: [{ header: 'Payment-Required', regexp: '^[A-Za-z0-9+/=]+$' }],
        tls_config: { ca_file: caFile },
      },
    },
  },
})

export interface Blackbox {
  readonly version: string
  /** Has one URL probed. @throws Error when the probe failed */
  probe(url: string): Promise<void>
  cpuMs(): number
  stop(): Promise<void>
}

/** Debian's blackbox_exporter, fetched without root on first use; a reason in words if unavailable. */
export async function startBlackbox(): Promise<Blackbox | { readonly closed: string }> {
  const found = await program({ name: NAME, debianPackage: NAME })
  if ('closed' in found) return found
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  const caFile = join(folder, 'ca.pem')
  const configFile = join(folder, 'blackbox.yml')
  writeFileSync(caFile, CERTIFICATE.cert)
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify(config(caFile)))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const child = await startChild({
    what: NAME,
    command: found.file,
    args: [`--config.file=${configFile}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    env: { ...process.env, ...found.env },
    ready: async () => (await fetch(`${base}/-/healthy`)).ok,
    readyWithinMs: 20_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  })
  const metrics = await (await fetch(`${base}/metrics`)).text()
  return {
    version: /blackbox_exporter_build_info\{[^}]*version="([^"]+)"/.exec(metrics)?.[1] ?? 'unknown',
    async probe(url) {
      const text = await (await fetch(`${base}/probe?module=paywall&target=${encodeURIComponent(url)}`)).text()
      if (!text.includes('\nprobe_success 1')) throw new Error(`blackbox_exporter could not probe ${url}`)
    },
    cpuMs: () => cpuTimeMs(child.pid),
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
