import { batchByTurn } from '@callboard/values'
import { gcraAhead, type Rate, type Taken } from './counters.ts'

/** The most takes in one script, during which the server runs no other command. */
const MOST_TOGETHER = 64

interface Take {
  readonly key: string
  readonly rate: Rate
  readonly cost: number
  /** Units to take in addition, if half of the burst stays. */
  readonly ahead: number
}

interface Server {
  /**
   * Runs the script.
   * @param rates burst, requests a minute, cost and units ahead of each key, in the keys' order
   * @returns the server's time and then, for each key, the arrival time it found, in milliseconds
   */
  send(keys: readonly string[], rates: readonly number[]): Promise<readonly string[]>
  /** Calls `work` at the end of this turn. */
  endOfTurn(work: () => void): void
}

/**
 * Combines the takes of one turn of the event loop in one script, which takes them one after the other: most of a
 * take's cost, for this process and the server, is the command. When the script fails, all of its takes fail.
 */
export const takesOfTurn = ({ send, endOfTurn }: Server): ((take: Take) => Promise<Taken>) =>
  batchByTurn(
    async (takes) => {
      const rates = takes.flatMap(({ rate, cost, ahead }) => [rate.burst, rate.perMinute, cost, ahead])
      const keys = takes.map(({ key }) => key)
      const [now, ...arrivals] = await send(keys, rates)
      return takes.map(({ rate, cost, ahead }, place) =>
        gcraAhead(rate, Number(now), Number(arrivals[place]), { cost, ahead }),
      )
    },
    { most: MOST_TOGETHER, endOfTurn },
  )
