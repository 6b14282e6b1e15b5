import { startSampleModels } from '../../../demo/src/sample-models.ts'
import { billedFor, SEED } from './billed.ts'
import { nameIn } from './plan.ts'

/** The sample provider in a process of its own. Reports its URL and, on request, the requests it got and bills for. */
const models = await startSampleModels({ seed: SEED })
process.on('message', () => {
  const asked = models.calls.flatMap((call) => {
    const name = nameIn(call.body)
    return name === undefined ? [] : [{ name, status: call.status, bill: billedFor(call) }]
  })
  process.send?.(asked)
})
// It ends with the walk, for any reason.
process.on('disconnect', () => process.exit(0))
process.send?.(models.url)
