import type { Shift } from './shift.ts'

const READS = [
  ['catalog.discovery', '/api/call/discovery?includeUnverified=true'],
  ['catalog.discovery', '/api/call/discovery?q=fault&includeUnverified=true'],
  ['catalog.stats', '/api/call/stats'],
  ['catalog.activity', '/api/call/activity'],
  ['x402-facilitator.supported', '/x402/supported'],
] as const

let turn = 0

/** Public reads, in rotation. */
export async function read({ requests }: Shift): Promise<boolean> {
  turn += 1
  const [operation, path] = READS[turn % READS.length] ?? READS[0]
  return (await requests.send(operation, 'GET', path)).status === 200
}
