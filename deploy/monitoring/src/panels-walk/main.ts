import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run dashboards:walk [-- --only TEXT …] [--times N] [--log FILE] [--list] [--help]
  Starts every service in its own processes under a real Prometheus, drives every path, and makes each service and each
  server fail. It requires that a panel shows each failure, that no panel shows an old number of a dead process, and that
  every query of every panel has data.
  --only TEXT  only failures whose name contains this text; may be repeated
  --times N    makes every window of the rules N times shorter (5)
  --log FILE   writes what the processes print to FILE
  --list       lists the failures, and causes none`

const { values } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: {
    only: { type: 'string', multiple: true },
    times: { type: 'string' },
    log: { type: 'string' },
    list: { type: 'boolean' },
  },
})

async function main(): Promise<number> {
  // The services are imported only now, so that command-line errors are reported at once.
  const [{ FAILURES }, { walkDashboards }, { temporaryFolder }, { endWithThisProcess }] = await Promise.all([
    import('./failures.ts'),
    import('./dashboards.ts'),
    import('@callboard/testkit/folder'),
    import('@callboard/embedded'),
  ])
  const chosen = FAILURES.filter(({ name }) => !values.only || values.only.some((text) => name.includes(text)))
  if (values.list) {
    console.log(FAILURES.map(({ name, dashboard, panel }) => `${name}: ${dashboard}, ${panel}`).join('\n'))
    return 0
  }
  if (chosen.length === 0) throw new Error('No failure is called so; see --list.')
  endWithThisProcess()
  const folder = temporaryFolder('callboard-dashboards-')
  const log = (line: string) => values.log && appendFileSync(values.log, `${new Date().toISOString()} ${line}\n`)
  try {
    const isHeld = await walkDashboards({
      folder: join(folder, 'data'),
      times: Number(values.times ?? 5),
      failures: chosen,
      log,
      say: console.log,
    })
    return isHeld ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
