import { every } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'

/** Reads the file of models again when it changed; a broken one changes nothing and is logged. */
export const reloadModels = every<RouterContext>('reload-models', SECOND_MS, async ({ resources, log }) => {
  const read = await resources.models.reload()
  if (read === 'unchanged') return
  if (read === 'loaded') return log.info('the models were read again')
  log.error({ faults: read.faults }, 'the file of models is broken; the models stay as they were')
})
