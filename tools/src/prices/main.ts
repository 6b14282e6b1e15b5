import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { merge } from './merge.ts'
import { readTables } from './tables.ts'

const FILE = 'services/router/data/public-models.json'

const USAGE = `usage: npm run prices [-- --help]
  Writes ${FILE}: prices, context sizes and answer lengths of public models, from two independent tables in
  the npm registry, whose versions tools/src/prices/tables.ts pins. If the tables disagree on a model's prices, the model is
  left out and named under "disputed".`

commandLine(process.argv.slice(2), { usage: USAGE })
const { models, disputed, ...rest } = merge(await readTables())
writeFileSync(join(ROOT, FILE), JSON.stringify({ ...rest, models, disputed }))
spawnSync('biome', ['format', '--write', FILE], { cwd: ROOT, stdio: 'ignore' })
const count = (word: string, some: readonly unknown[]) => `${some.length} ${word}`
const confirmed = models.filter((model) => model.confirmed)
const left = new Set(disputed.map(({ provider, id }) => `${provider}/${id}`))
console.log(
  [count('models', models), count('in both tables', confirmed), count('left out as disputed', [...left])].join(', '),
)
