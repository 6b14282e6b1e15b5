import { appendFileSync } from 'node:fs'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run cluster:real [-- --only TEXT …] [--build] [--if-built] [--log FILE] [--help]
  Installs the chart on a real control plane of Kubernetes with simulated nodes, with the values of each example. It requires
  that every object is accepted, that every pod is admitted and scheduled, and that upgrades, rollbacks and drains keep what
  they promise. It also runs the commands of docs/operating.md from an empty cluster to a paid call.
  It builds missing programs with Go into .cache/cluster, which takes long the first time.
  --only TEXT  only examples whose name contains this text, \`journey\`, \`scaling\` or \`first-call\`; may be repeated
  --build      builds what is missing, and starts nothing
  --if-built   if something would have to be built, says so and runs nothing
  --log FILE   writes what the programs print to FILE`

const { values } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: {
    only: { type: 'string', multiple: true },
    build: { type: 'boolean' },
    'if-built': { type: 'boolean' },
    log: { type: 'string' },
  },
})

async function main(): Promise<number> {
  // Imported only now, so that command-line errors are reported at once.
  const { builtPrograms, buildPrograms, kubernetesVersion } = await import('./programs.ts')
  const built = builtPrograms()
  if (!built && values['if-built']) {
    console.log(
      'cluster:real was not run: its programs are not built in .cache/cluster; npm run cluster:real builds them.',
    )
    return 0
  }
  const programs = built ?? (await buildPrograms(console.log))
  if (values.build) return 0
  const [{ walk }, { endWithThisProcess }] = await Promise.all([import('./walk.ts'), import('@callboard/embedded')])
  const log = (line: string) => {
    if (values.log) appendFileSync(values.log, `${line}\n`)
  }
  const rows = await walk(programs, {
    only: values.only,
    watchdog: endWithThisProcess(),
    log,
    say: console.log,
  })
  const missed = rows.filter(({ held }) => !held).length
  console.log(`Kubernetes ${kubernetesVersion()}: ${rows.length - missed} held, ${missed} missed`)
  return missed === 0 ? 0 : 1
}

process.exitCode = await main()
