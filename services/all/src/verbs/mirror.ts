import { type InputOf, MirrorSource, type Operation, type OutputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator, printIssues } from './call-as-operator.ts'

/** Adds a source, or prints what is wrong with it. @param given its words, unchecked */
export async function addSource(running: Running, given: object, by: string): Promise<number> {
  const source = MirrorSource.safeParse(given)
  return source.success ? printSources(running, { action: 'add', source: source.data, by }) : printIssues(source.error)
}

/** Lists or changes the sources, and prints those that it is about. @returns the exit code */
export async function printSources(running: Running, input: InputOf<typeof operations.sources>): Promise<number> {
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

/** Shows a mirrored row, or gives a verdict on it. @returns the exit code */
export async function printMirrored(
  running: Running,
  input: InputOf<typeof operations.reviewMirrored>,
): Promise<number> {
  const row = await asked(running, operations.reviewMirrored, input, `${input.slug}: `)
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
  about = '',
): Promise<OutputOf<Op> | undefined> {
  const answer = await callAsOperator(running, operation, input)
  if (!isRefusal(answer)) return answer as OutputOf<Op>
  console.error(`${about}${answer.refusal}${answer.message ? `. ${answer.message}` : ''}`)
  return undefined
}
