import { every } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { changedSince } from '../models/model-set.ts'

/** Rereads the file of models and the upstreams' keys when they change; a broken file changes nothing and is logged. */
export const reloadModels = every<RouterContext>('reload-models', SECOND_MS, async ({ resources, log }) => {
  const { models, upstreams, health } = resources
  const before = models.current
  const read = await models.reload()
  if (read === 'loaded') log.info('the models were read again')
  if (typeof read === 'object') {
    log.error({ faults: read.faults }, 'the file of models is broken; the models stay as they were')
  }
  const { current } = models
  const rekeyed = await upstreams.refresh(current.upstreams)
  if (rekeyed.length === 0 && current === before) return
  health.forget({ models: current, changed: [...rekeyed, ...changedSince(before, current)] })
})
