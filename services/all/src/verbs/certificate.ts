import { readFileSync } from 'node:fs'
import { certify, checked, type IndexerContext, readCertificate } from '@callboard/chain-indexer'
import type { Running } from '@callboard/runtime'
import type { Caip2 } from '@callboard/values'

/** Prints the certificate of a range of blocks: that each was read, from which endpoint, with its hash. */
export async function printCertificate(running: Running, network: string, from: number, to: number): Promise<number> {
  const ctx = running.contexts.get('chain-indexer')
  if (!ctx) throw new Error('chain-indexer did not start.')
  console.log(JSON.stringify(await certify(ctx as IndexerContext, network as Caip2, from, to), null, 1))
  return 0
}

/** Checks a certificate on its own, without network or data. @param digest one noted before */
export function checkCertificate(file: string, digest?: string): number {
  const certificate = readCertificate(readFileSync(file, 'utf8'))
  const finding = checked(certificate, digest)
  if (!finding.holds) {
    console.error(`The certificate does not hold: ${finding.because}.`)
    return 1
  }
  const { network, from, to } = certificate
  const count = new Map<string, number>()
  for (const { endpoint } of finding.blocks) count.set(endpoint, (count.get(endpoint) ?? 0) + 1)
  const by = [...count].map(([endpoint, blocks]) => `${blocks} by ${endpoint}`).join(', ')
  console.log(`Every block of ${network} from ${from} to ${to} was read: ${by}.`)
  console.log(`digest ${finding.digest}`)
  return 0
}
