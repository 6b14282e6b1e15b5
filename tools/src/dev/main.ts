import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run dev [-- --inspect[=PORT]] [--inspect-brk[=PORT]] [--help]
  Runs an instance without the demonstration. Every edit of a source restarts its services on the same data.
  --inspect      lets a debugger attach, also after each restart
  --inspect-brk  waits for the debugger first
settings: PORT (8402), LOG_LEVEL (info), CALLBOARD_DATA (.callboard), and those of docs/configuration.md`

const given = process.argv.slice(2)
const isForNode = (option: string) => /^--inspect(-brk)?(=|$)/.test(option)
commandLine(
  given.filter((option) => !isForNode(option)),
  { usage: USAGE },
)
// What it starts is imported only now, so that command-line errors are reported at once.
const { startDev } = await import('./dev.ts')
process.exitCode = await startDev(given.filter(isForNode))
