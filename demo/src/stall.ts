import type { Address } from '@callboard/values'
import type { Devnet } from './devnet.ts'
import { sampleProviderAt, startSampleProvider } from './sample-provider.ts'

const FIRST_PORT = 8404
/** The most demonstrations that can run side by side. */
const PORTS = 20

/** The port of this instance's sample provider. */
export interface Stall {
  readonly port: number
  /** Whether it was already there, from an earlier demonstration. */
  readonly isOld: boolean
  /** Ends it; does nothing if another demonstration started it. */
  readonly stop: () => Promise<void>
}

/**
 * Finds the sample provider of this instance, or starts it on a free port. One that is paid through another instance is
 * never used: payments signed for this chain would settle on that one.
 * @param wanted the only port that may be used; else the first free one
 * @throws Error that names the port and who has it
 */
export async function openStall(devnet: Devnet, payTo: Address, wanted: number | undefined): Promise<Stall> {
  const ports = wanted === undefined ? Array.from({ length: PORTS }, (_, at) => FIRST_PORT + at) : [wanted]
  let taken = ''
  for (const port of ports) {
    const other = await sampleProviderAt(port)
    if (other?.facilitatorUrl === devnet.facilitatorUrl) return { port, isOld: true, stop: async () => {} }
    taken = other ? `the sample provider of another instance, ${other.facilitatorUrl}` : 'another program'
    const stop = other ? undefined : await started(devnet, payTo, port)
    if (stop) return { port, isOld: false, stop }
  }
  const which = wanted ?? `${ports[0]} to ${ports.at(-1)}`
  throw new Error(`Port ${which} is taken by ${taken}: set DEMO_PORT to one that is free.`)
}

/** @returns undefined when another program has the port */
async function started(devnet: Devnet, payTo: Address, port: number): Promise<(() => Promise<void>) | undefined> {
  try {
    return await startSampleProvider(devnet, payTo, port)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
}
