import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run alerts:walk [-- --only TEXT …] [--times N] [--keep] [--log FILE] [--list] [--help]
  Kills each service and each server of a cluster, one after the other, under a real Prometheus and Alertmanager. It
  requires that the right page comes within its stated time, and that it ends after the recovery.
  --only TEXT  only kills whose name contains this text; may be repeated
  --times N    makes every window N times shorter (3); 1 keeps the windows as they are
  --keep       writes what was seen for docs/alerts.md
  --log FILE   writes what the processes print to FILE
  --list       lists the kills, and kills nothing`

const { values } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: {
    only: { type: 'string', multiple: true },
    times: { type: 'string' },
    keep: { type: 'boolean' },
    log: { type: 'string' },
    list: { type: 'boolean' },
  },
})

async function main(): Promise<number> {
  // The services are imported only now, so that command-line errors are reported at once.
  const [{ DEATHS }, { openStage }, { walkOne }, { keep }, { temporaryFolder }, { endWithThisProcess }] =
    await Promise.all([
      import('./deaths.ts'),
      import('./stage.ts'),
      import('./walk.ts'),
      import('./results.ts'),
      import('@callboard/testkit/folder'),
      import('@callboard/embedded'),
    ])
  const chosen = DEATHS.filter(({ name }) => !values.only || values.only.some((text) => name.includes(text)))
  if (values.list) {
    console.log(DEATHS.map(({ name, how, page }) => `${name}: ${how}; ${page.alertname}`).join('\n'))
    return 0
  }
  if (chosen.length === 0) throw new Error('No death is called so; see --list.')
  endWithThisProcess()
  const times = Number(values.times ?? 3)
  const folder = temporaryFolder('callboard-alerts-')
  const log = (line: string) => values.log && appendFileSync(values.log, `${new Date().toISOString()} ${line}\n`)
  const stage = await openStage({ folder: join(folder, 'data'), times, log })
  let missed = 0
  try {
    console.log(`${stage.cluster.members.length} processes run; windows are ${times} times shorter`)
    for (const words of stage.pager.standing()) console.log(`  stands before: ${words}`)
    for (const death of chosen) {
      const seen = await walkOne({ ...stage, times }, death)
      if (values.keep) keep(death.name, times, seen)
      const isHeld = seen.pagedAfter !== undefined && seen.endedAfter !== undefined
      if (!isHeld) missed += 1
      const took = (seconds: number | undefined) => (seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`)
      console.log(
        `${isHeld ? 'held' : 'MISSED'}  ${death.name}: ${death.page.alertname} after ${took(seen.pagedAfter)}, ended after ${took(seen.endedAfter)}${seen.beside.length > 0 ? `; beside it ${seen.beside.join('; ')}` : ''}`,
      )
    }
  } finally {
    await stage.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`${chosen.length - missed} held, ${missed} missed`)
  return missed === 0 ? 0 : 1
}

process.exitCode = await main()
