import { router as operations, stakeChanged, stakeReverted } from '@callboard/contract'
import { onBatch, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onStakes } from './consumers/stakes.ts'
import { calls, type Resources } from './context.ts'
import { Claims } from './counting/claims.ts'
import { TokenCounter } from './counting/token-counter.ts'
import { creditTopUps } from './jobs/credit-top-ups.ts'
import { expireHolds } from './jobs/expire-holds.ts'
import { forgetKeys } from './jobs/forget-keys.ts'
import { forgetTopUps } from './jobs/forget-top-ups.ts'
import { priceStakes } from './jobs/price-stakes.ts'
import { reloadModels } from './jobs/reload-models.ts'
import { routerMeters } from './metering.ts'
import { Health } from './models/health.ts'
import { ModelSet } from './models/model-set.ts'
import { upstreamSamples } from './models/upstream-samples.ts'
import { Upstreams } from './models/upstreams.ts'
import { openOnramp } from './onramp/open.ts'
import { computeOfStake } from './operations/compute-of-stake.ts'
import { countTokens } from './operations/count-tokens.ts'
import { createChatCompletion } from './operations/create-chat-completion.ts'
import { createEmbedding } from './operations/create-embedding.ts'
import { createKey } from './operations/create-key.ts'
import { createMessage } from './operations/create-message.ts'
import { createResponse } from './operations/create-response.ts'
import { deleteKey } from './operations/delete-key.ts'
import { getModel } from './operations/get-model.ts'
import { keyStatus } from './operations/key-status.ts'
import { listKeys } from './operations/list-keys.ts'
import { listModels } from './operations/list-models.ts'
import { mintKey } from './operations/mint-key.ts'
import { models } from './operations/models.ts'
import { onrampSession } from './operations/onramp-session.ts'
import { receipt } from './operations/receipt.ts'
import { receiptKeys } from './operations/receipt-keys.ts'
import { receipts } from './operations/receipts.ts'
import { receiptsOfKey } from './operations/receipts-of-key.ts'
import { revokeKeys } from './operations/revoke-keys.ts'
import { setAllowance } from './operations/set-allowance.ts'
import { spentToday } from './operations/spent-today.ts'
import { topUp } from './operations/top-up.ts'
import { usage } from './operations/usage.ts'
import { view } from './operations/view.ts'
import { why } from './operations/why.ts'
import { ReceiptSigner } from './receipts/signer.ts'
import { afterRestore } from './restore/after-restore.ts'
import { CallBatcher } from './store/call-batcher.ts'
import * as keysAndLedger from './store/migrations/0001-router.ts'
import * as stake from './store/migrations/0002-stake.ts'
import * as chains from './store/migrations/0003-receipts.ts'
import * as underWay from './store/migrations/0004-under-way.ts'
import * as payingCalls from './store/migrations/0005-paying-calls.ts'
import * as holdCall from './store/migrations/0006-hold-call.ts'
import * as settleCall from './store/migrations/0007-settle-call.ts'
import * as onrampDays from './store/migrations/0008-onramp-days.ts'
import * as callBatches from './store/migrations/0009-call-batches.ts'
import * as batchPlans from './store/migrations/0010-batch-plans.ts'
import * as topUpLooks from './store/migrations/0011-top-up-looks.ts'
import * as callsOfLinks from './store/migrations/0012-calls-of-links.ts'
import * as failedTopUps from './store/migrations/0013-failed-top-ups.ts'
import * as unusedKeys from './store/migrations/0014-unused-keys.ts'
import * as settleTogether from './store/migrations/0015-settle-together.ts'
import * as holdTogether from './store/migrations/0016-hold-together.ts'
import type { RouterTables } from './store/tables.ts'
import { TopUpOffers } from './top-ups/offers.ts'

/** An increase counts only from the next day anyway; a decrease may take effect this much later. */
const STAKES_LINGER_MS = 200

/** Keys to language models, what may be spent with them, and the calls. The only service that asks model providers. */
export const router = service<typeof Config, RouterTables, Resources, typeof operations, typeof calls>({
  name: 'router',
  config: Config,
  migrations: {
    '0001-router': keysAndLedger,
    '0002-stake': stake,
    '0003-receipts': chains,
    '0004-under-way': underWay,
    '0005-paying-calls': payingCalls,
    '0006-hold-call': holdCall,
    '0007-settle-call': settleCall,
    '0008-onramp-days': onrampDays,
    '0009-call-batches': callBatches,
    '0010-batch-plans': batchPlans,
    '0011-top-up-looks': topUpLooks,
    '0012-calls-of-links': callsOfLinks,
    '0013-failed-top-ups': failedTopUps,
    '0014-unused-keys': unusedKeys,
    '0015-settle-together': settleTogether,
    '0016-hold-together': holdTogether,
  },
  open: async ({ config, clock, db, metrics, log }) => {
    const models = new ModelSet(config.ROUTER_MODELS)
    const read = await models.reload()
    if (typeof read === 'object') log.error({ faults: read.faults }, 'the file of models is broken: no model is served')
    const [upstreams, metering] = [new Upstreams(), routerMeters(metrics.registry)]
    const health = new Health({ clock, log, metering })
    metrics.collectors.add('router upstreams', () => upstreamSamples({ models, health, metering }))
    const receipts = new ReceiptSigner(
      () => config.ROUTER_RECEIPT_KEY,
      config.BASE_URL,
      db,
      () => clock.now(),
    )
    const [offers, tokens] = [new TopUpOffers(), new TokenCounter()]
    const claims = new Claims({ clock, log, metering, counter: tokens })
    const onramp = openOnramp(config, { clock, log })
    const close = async () => {
      await Promise.all([upstreams.close(), tokens.close()])
    }
    const batcher = new CallBatcher(db)
    return { models, upstreams, health, metering, claims, receipts, offers, tokens, onramp, batcher, close }
  },
  operations,
  serves: {
    ...{ mintKey, revokeKeys, setAllowance, view, spentToday, computeOfStake },
    ...{ listKeys, createKey, deleteKey, usage, topUp, onrampSession, models },
    ...{ listModels, getModel, keyStatus },
    ...{ receipt, receipts, receiptsOfKey, receiptKeys, why },
    ...{ createChatCompletion, createResponse, createEmbedding, createMessage, countTokens },
  },
  calls,
  consumes: onBatch([stakeChanged, stakeReverted], STAKES_LINGER_MS, onStakes),
  afterRestore,
  jobs: [creditTopUps, expireHolds, forgetKeys, forgetTopUps, priceStakes, reloadModels],
})
