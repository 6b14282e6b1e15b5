import { livenessProber, type ShownOffer } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { isoTime } from '@callboard/values'
import { readChallenge, type SettledToken } from '@callboard/x402'
import { z } from 'zod'

const operations = { probe: livenessProber.probe }

/**
 * A prober that calls loopback even if chains are real, which the real one refuses. It reads offers as that one does.
 * @param tokens those that are payable
 */
export const proberStandIn = (tokens: readonly SettledToken[]) =>
  service<z.ZodObject, object, undefined, typeof operations>({
    name: 'liveness-prober',
    config: z.object({}),
    operations,
    serves: {
      probe: async ({ url, method = 'GET' }, { clock }) => {
        const answer = await fetch(url, { method })
        const headers = Object.fromEntries(answer.headers)
        const read = readChallenge({ status: answer.status, headers, bodyText: await answer.text() }, { tokens })
        if (read.kind !== 'x402') throw new Error(`${url} makes no offer`)
        const accepts = read.accepts.map((entry, at): ShownOffer => {
          const verdict = read.payability[at]
          const notPayableReason = verdict?.payable === false ? verdict.reason : null
          return { ...entry, payable: verdict?.payable === true, notPayableReason }
        })
        const { x402Version, versionConformant, offerTransport, issues } = read
        const conformance = { declaredVersion: x402Version, versionConformant, offerTransport, issues: [...issues] }
        return {
          state: 'ok_402',
          finding: 'payable',
          result: {
            kind: 'x402',
            x402Version,
            accepts,
            endpoint: url,
            operations: [],
            conformance,
            unread: [],
            extensions: {},
            challenges: [],
          },
          httpStatus: 402,
          latencyMs: 1,
          checkedAt: isoTime(clock.now()),
          message: '',
          mend: '',
        }
      },
    },
  })
