import { type InputOf, MirrorSource, type Operation, type OutputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator, printIssues } from './call-as-operator.ts'

type Work = (running: Running) => Promise<number>

const SOURCE_ACTIONS = ['remove', 'run'] as const
const VERDICTS = ['look', 'approve', 'suspend', 'reopen'] as const

/** The operator, and what an owner is told. */
interface Said {
  readonly by: string
  readonly reason?: string | undefined
}

/** Returns what a command line of `sources` or `mirror` does; undefined for another command, or a syntax error. */
export function mirrorVerb([noun, verb, first, ...more]: readonly string[], said: Said): Work | undefined {
  const { by } = said
  if (noun === 'sources') {
    if (verb === 'list' && first === undefined) return (running) => printSources(running, { action: 'list' })
    const action = SOURCE_ACTIONS.find((one) => one === verb)
    if (action && first && more.length === 0) return (running) => printSources(running, { action, name: first, by })
    const [kind, url, ...settings] = more
    if (verb === 'add' && first && kind && url && settings.filter((setting) => !isFilter(setting)).length <= 1)
      return (running) => addSource(running, sourceOf(first, kind, url, settings), by)
  }
  const verdict = VERDICTS.find((one) => one === verb)
  const [seen, ...rest] = more
  if (noun === 'mirror' && verdict && first && rest.length === 0 && (seen === undefined || verdict === 'approve')) {
    return (running) => printMirrored(running, { slug: first, verdict, seen, ...said })
  }
  return undefined
}

const isFilter = (setting: string): boolean => setting.includes('=')

/** Parses a source from words: hours between imports, and filters as `name=value`. */
function sourceOf(name: string, kind: string, url: string, settings: readonly string[]) {
  const filters = settings.filter(isFilter)
  const [hours] = settings.filter((setting) => !isFilter(setting))
  return MirrorSource.safeParse({
    ...{ name, kind, url },
    filters: Object.fromEntries(filters.map((filter) => filter.split(/=(.*)/s, 2))),
    ...(hours === undefined ? {} : { intervalHours: Number(hours) }),
  })
}

async function addSource(running: Running, source: ReturnType<typeof sourceOf>, by: string): Promise<number> {
  if (source.success) return printSources(running, { action: 'add', source: source.data, by })
  printIssues(source.error)
  return 1
}

async function printSources(running: Running, input: InputOf<typeof operations.sources>): Promise<number> {
  const answer = await asked(running, operations.sources, input)
  if (!answer) return 1
  const shown = answer.sources.filter(({ name }) => input.action !== 'run' || name === input.name)
  for (const source of shown) {
    const { name, kind, url, configuredBy, intervalHours, resources, lastGoodAt, dueAt, failures, problem } = source
    console.log(
      `${name} ${kind} ${url} every ${intervalHours} h, by ${configuredBy === 'file' ? 'the file' : 'the operator'}`,
    )
    console.log(`  names ${resources}; imported ${lastGoodAt ?? 'never'}, due ${dueAt}`)
    if (problem) console.log(`  failed ${failures} times in a row: ${problem}`)
    const notTaken = Object.entries(source.notTaken).map(([why, count]) => `${count} ${why}`)
    if (notTaken.length > 0) console.log(`  not taken in: ${notTaken.join(', ')}`)
  }
  console.log(`${answer.sources.length} sources`)
  return 0
}

async function printMirrored(running: Running, input: InputOf<typeof operations.reviewMirrored>): Promise<number> {
  const row = await asked(running, operations.reviewMirrored, input)
  if (!row) return 1
  const { slug, state, reason, method, url, title, sources, approved, asked: now, checkedAt, seen } = row
  console.log(`${method} ${url} ${title}`)
  console.log(`named by ${sources.join(', ') || 'no source any more'}`)
  for (const term of approved) console.log(`approved: ${term}`)
  for (const term of now) console.log(`asked at ${checkedAt}: ${term}`)
  if (reason) console.log(reason)
  if (state === 'suspended') console.log(`to approve just this: npm run operator -- mirror approve ${slug} ${seen}`)
  console.log(`${slug}: ${state}`)
  return 0
}

/** Returns the answer, or prints its refusal. */
async function asked<Op extends Operation>(
  running: Running,
  operation: Op,
  input: InputOf<Op>,
): Promise<OutputOf<Op> | undefined> {
  const answer = await callAsOperator(running, operation, input)
  if (!isRefusal(answer)) return answer as OutputOf<Op>
  console.error(`${answer.refusal}${answer.message ? `. ${answer.message}` : ''}`)
  return undefined
}
