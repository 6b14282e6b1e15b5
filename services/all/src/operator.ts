import { anonymous, listings as operations } from '@callboard/contract'
import { listings } from '@callboard/listings'
import { startServices } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { instanceEnv } from './beside.ts'

const USAGE = 'npm run operator -- verify SLUG | reject SLUG'

/** The operator's verbs. They work on the tables of an instance; what they change reaches the directory as an event. */
async function main([verb, slug, ...more]: readonly string[]): Promise<number> {
  if ((verb !== 'verify' && verb !== 'reject') || !slug || more.length > 0) {
    console.error(`usage: ${USAGE}`)
    return 2
  }
  const running = await startServices([listings], { env: instanceEnv(process.env), operationsOnly: true })
  try {
    const meta = { caller: anonymous, requestId: `operator-${process.pid}`, timeoutMs: 10_000 }
    const answer = await running.bus.call(operations.review, { slug, verdict: verb }, meta)
    if (isRefusal(answer)) {
      console.error(`${slug}: ${answer.refusal}${answer.message ? `. ${answer.message}` : ''}`)
      return 1
    }
    console.log(`${answer.slug}: status ${answer.status}, verification ${answer.verification}`)
    return 0
  } finally {
    await running.stop()
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
