import { startSampleModels } from '../../../demo/src/sample-models.ts'
import { billedFor, SEED } from './billed.ts'
import { nameIn } from './plan.ts'

/** The sample provider in a process of its own. Says its URL, and when it is asked, what it was asked and bills for it. */
const models = await startSampleModels({ seed: SEED })
process.on('message', () => {
  const asked = models.calls.flatMap((call) => {
    const name = nameIn(call.body)
    return name === undefined ? [] : [{ name, status: call.status, bill: billedFor(call) }]
  })
  process.send?.(asked)
})
// It ends with the walk, however that ends.
process.on('disconnect', () => process.exit(0))
process.send?.(models.url)
