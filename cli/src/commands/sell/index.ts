import type { Command } from '../../command.ts'
import { sellLogin, sellLogout } from './login.ts'
import { sellProbe } from './probe.ts'
import { sellStatus } from './status.ts'

/** The seller's commands. */
export const SELL: Readonly<Record<string, Command>> = {
  'sell login': sellLogin,
  'sell logout': sellLogout,
  'sell probe': sellProbe,
  'sell status': sellStatus,
}
