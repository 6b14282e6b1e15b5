import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { until } from '@callboard/testkit/until'
import { CHART } from '../../chart.ts'
import { makeNamespace } from '../namespace.ts'
import { Release } from '../release.ts'
import { type Measured, measure } from '../scaling/measured.ts'
import { startMetricsApi } from '../scaling/metrics-api.ts'
import { type Load, NO_LOAD } from '../scaling/played-load.ts'
import { demandNothing, type Group, type World } from './demand.ts'

const NAMESPACE = 'market-scaling'
const EXAMPLE = join(CHART, 'ci/autoscaling-values.yaml')
const DECIDED_WITHIN_MS = 90_000

/** An operator sets the speed; this checks the amount. */
const AT_ONCE = {
  defaults: {
    autoscaling: {
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 20, periodSeconds: 1 }] },
        scaleDown: { stabilizationWindowSeconds: 1, policies: [{ type: 'Pods', value: 20, periodSeconds: 1 }] },
      },
    },
  },
}

/** A load, and the replicas that each target's metrics require under it. */
const LOADED: Load = {
  eventLoopSeconds: 0.3,
  openStreams: 990,
  overdueOrigins: 1_600,
  overdueSeconds: 40,
  lagSeconds: 90,
  cores: { catalog: 1.4, 'x402-facilitator': 2.1 },
}
const ASKED = {
  gateway: 6, // 0.3 s at an average of 0.05 s per replica
  router: 5, // 990 streams at 200 each
  catalog: 4, // 1.4 cores at 70 % of 0.5
  'liveness-prober': 5, // 1,600 origins at 320 each; 40 s do not require more
  'chain-indexer': 2, // three times the allowed lag, and two chains
  'x402-facilitator': 6, // 2.1 cores at 70 % of 0.5
}
const LEAST = { gateway: 2, router: 2, catalog: 2, 'liveness-prober': 2, 'chain-indexer': 1, 'x402-facilitator': 2 }
/** The expected metrics of the played load, by the controller's name for them. */
const READ: Numbers = {
  callboard_router_open_streams: 990,
  callboard_prober_overdue_origins: 1_600,
  callboard_prober_overdue_seconds: 40,
  callboard_indexer_worst_lag_seconds: 90,
}

type Numbers = Readonly<Record<string, number>>

interface Autoscaler {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: { readonly metrics: readonly { readonly external?: { readonly metric: { readonly name: string } } }[] }
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[]
  }
}

/** Waits until the metrics have the expected values. @throws Error naming each number that never did */
async function comesTo(
  wanted: Numbers,
  read: () => Promise<Numbers>,
  say: (name: string, had: number | undefined) => string,
): Promise<void> {
  const isSo = async () => isDeepStrictEqual(await read(), wanted)
  await until('it is as wanted', isSo, DECIDED_WITHIN_MS).catch(() => undefined)
  const had = await read()
  demandNothing(Object.keys(wanted).flatMap((name) => (had[name] === wanted[name] ? [] : say(name, had[name]))))
}

/** Whether Kubernetes' own controller, via prometheus-adapter with our rules, gives targets the replicas they need. */
export function scalingGroup(world: World, adapter: string, log: (line: string) => void): Group {
  const { api, folder } = world
  const release = new Release(world, NAMESPACE)
  const ends: (() => Promise<void>)[] = []
  let measured: Measured | undefined
  const play = (load: Load) => {
    if (measured) measured.load = load
  }
  const autoscalers = async (): Promise<readonly Autoscaler[]> =>
    (await api.get(`/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers`)).items
  const replicas = async (): Promise<Numbers> =>
    Object.fromEntries(
      (await release.deployments())
        .map(({ metadata, spec }) => [metadata.labels['app.kubernetes.io/component'] ?? '', spec.replicas] as const)
        .filter(([target]) => target in LEAST),
    )

  /** Waits until every target has the expected replicas; reports the actual ones where that fails. */
  async function scaledTo(wanted: Numbers): Promise<string> {
    await comesTo(
      wanted,
      replicas,
      (target, had) => `${target} has ${had} replicas, and its measures ask for ${wanted[target]}`,
    )
    return Object.entries(wanted)
      .map(([target, count]) => `${target} ${count}`)
      .join(', ')
  }

  async function answered(): Promise<Numbers> {
    const values = Object.keys(READ).map(async (name) => {
      const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${NAMESPACE}/${name}?labelSelector=release%3Dcb`
      const { status, body } = await api.ask('GET', path)
      return [name, status === 200 ? Number(body.items[0]?.value) : Number.NaN] as const
    })
    return Object.fromEntries(await Promise.all(values))
  }

  return {
    name: 'scaling',
    async end() {
      for (const end of ends.toReversed()) await end()
    },
    demands: [
      {
        name: 'without load each target has its fewest',
        async hold() {
          await makeNamespace(api, NAMESPACE)
          await release.upgrade(EXAMPLE, AT_ONCE)
          await release.stands()
          measured = await measure(release, folder, (line) => log(`prometheus: ${line}`))
          ends.push(() => measured?.stop() ?? Promise.resolve())
          ends.push(await startMetricsApi({ ...world, program: adapter, prometheusUrl: measured.prometheusUrl, log }))
          return scaledTo(LEAST)
        },
      },
      {
        name: 'prometheus-adapter answers the measures with what Prometheus has',
        async hold() {
          play(LOADED)
          await comesTo(READ, answered, (name, had) => `${name} is ${had}, and Prometheus has ${READ[name]}`)
          return Object.keys(READ).join(', ')
        },
      },
      { name: 'under load each target has what its measures ask for', hold: () => scaledTo(ASKED) },
      {
        name: 'a measure without an answer takes no replica, and the autoscaler says so',
        async hold() {
          play({ ...NO_LOAD, openStreams: undefined })
          const seen = await scaledTo({ ...LEAST, router: ASKED.router })
          const router = (await autoscalers()).find(
            ({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'router',
          )
          const active = router?.status.conditions?.find(({ type }) => type === 'ScalingActive')
          const said = `ScalingActive is ${active?.status}, ${active?.reason}`
          demandNothing(active?.reason === 'FailedGetExternalMetric' ? [] : [said])
          return `${seen}; of router ${said}`
        },
      },
      {
        name: 'once it is answered again, all have their fewest',
        async hold() {
          play(NO_LOAD)
          return scaledTo(LEAST)
        },
      },
    ],
  }
}
