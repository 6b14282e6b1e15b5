import type { Command } from '../../command.ts'
import { sellActivate, sellSuspend, sellVerify, sellWithdraw } from './actions.ts'
import { sellLogin, sellLogout } from './login.ts'
import { sellProbe } from './probe.ts'
import { sellPublish } from './publish.ts'
import { sellDeploy, sellDistribute, sellSplitter } from './splitter.ts'
import { sellStatus } from './status.ts'

/** The seller's commands. */
export const SELL: Readonly<Record<string, Command>> = {
  'sell login': sellLogin,
  'sell logout': sellLogout,
  'sell probe': sellProbe,
  'sell splitter': sellSplitter,
  'sell publish': sellPublish,
  'sell status': sellStatus,
  'sell deploy': sellDeploy,
  'sell activate': sellActivate,
  'sell verify': sellVerify,
  'sell suspend': sellSuspend,
  'sell withdraw': sellWithdraw,
  'sell distribute': sellDistribute,
}
