import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { type GeneratedFiles, ROOT } from '@callboard/tools/generated-files'
import { capacityPage } from './capacity/page.ts'
import { composeEnvExample, composeTargets, prometheusNames } from './compose-targets.ts'
import { composeNatsUsers, composePostgresUsers } from './compose-users.ts'
import { permissionsFile } from './nats-permissions.ts'
import { rolesFile } from './postgres-roles.ts'
import { targetOf } from './target.ts'
import { targetsFile } from './targets-file.ts'
import { valuesSchema } from './values-schema.ts'

const CHART_FILES = 'helm/callboard/files'

/** What Grafana and Prometheus are given lives in deploy/monitoring; a chart can only carry what lies inside it. */
const COPIED = [
  { from: 'deploy/monitoring/dashboards', to: `${CHART_FILES}/dashboards`, ending: '.json' },
  { from: 'deploy/monitoring/chart', to: `${CHART_FILES}/rules`, ending: '.yaml' },
  { from: 'deploy/monitoring/scaling', to: `${CHART_FILES}/scaling`, ending: '.yaml' },
  { from: 'docs/runbooks', to: `${CHART_FILES}/runbooks`, ending: '.md' },
]

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const listed = (folder: string, ending: string): string[] =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith(ending))
        .sort()
    : []

/** A file with the lines between its two marks made anew. */
function filled(path: string, block: string): [string, string] {
  const lines = read(path).split('\n')
  const begin = lines.findIndex((line) => line.trim() === '# targets: made by npm run helm:gen')
  const end = lines.findIndex((line) => line.trim() === '# /targets')
  if (begin < 0 || end < begin) throw new Error(`${path} lost its marks "# targets: made by …" and "# /targets"`)
  return [path, [...lines.slice(0, begin + 1), ...block.split('\n'), ...lines.slice(end)].join('\n')]
}

/** Every generated file by its path, as the declarations want it. */
export function generated(): GeneratedFiles {
  const targets = Object.fromEntries(modules.map((module) => [module.name, targetOf(module)]))
  const copies = COPIED.flatMap(({ from, to, ending }) =>
    listed(from, ending).map((name): [string, string] => [`${to}/${name}`, read(`${from}/${name}`)]),
  )
  return new Map<string, string | undefined>([
    [`${CHART_FILES}/targets.yaml`, targetsFile(targets)],
    ['helm/callboard/values.schema.json', valuesSchema(modules, targets)],
    ['docs/capacity.md', capacityPage((target) => targets[target]?.tables === true)],
    ['deploy/nats/permissions.conf', permissionsFile(modules)],
    ['deploy/postgres/roles.sql', rolesFile(modules)],
    ['deploy/compose.nats-users.yaml', composeNatsUsers(targets)],
    ['deploy/compose.postgres-users.yaml', composePostgresUsers(targets)],
    ['deploy/.env.example', composeEnvExample(targets)],
    filled('deploy/compose.yaml', composeTargets(targets)),
    filled('deploy/compose/prometheus.yaml', prometheusNames(targets)),
    ...copies,
    ...orphans(),
  ])
}

/** Copies in the chart whose originals are gone. */
const orphans = () =>
  COPIED.flatMap(({ from, to, ending }) => {
    const originals = new Set(listed(from, ending))
    return listed(to, ending)
      .filter((name) => !originals.has(name))
      .map((name): [string, undefined] => [`${to}/${name}`, undefined])
  })
