import type { ServiceModule } from '@callboard/runtime'
import type { z } from 'zod'
import { alertSchemas } from './alerts-schema.ts'
import { settingSchema } from './setting-schema.ts'
import { schemasOf, type Target } from './target.ts'
import { workMeasures } from './work-measures.ts'

type Schema = Readonly<Record<string, unknown>>

/** An object with exactly these members. */
const closed = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
  properties,
})

const text: Schema = { type: 'string' }
const nonEmpty: Schema = { type: 'string', minLength: 1 }
const flag: Schema = { type: 'boolean' }
const count = (minimum: number): Schema => ({ type: 'integer', minimum })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
/** Any Kubernetes object: its own API validates it. */
const foreign: Schema = { type: 'object' }
const foreignList = listOf(foreign)
const labels: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values })
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 }

const secretRef = closed({ existingSecret: nonEmpty, key: nonEmpty, keyPerTarget: flag, file: flag }, [
  'existingSecret',
])

const probe = closed({
  periodSeconds: count(1),
  timeoutSeconds: count(1),
  failureThreshold: count(1),
  initialDelaySeconds: count(0),
})

/** Target values for work metrics; the templates check which of them a target has. */
const workTargets = (): Schema =>
  closed(Object.fromEntries(workMeasures().map((name) => [name, { type: 'number', exclusiveMinimum: 0 }])))

const autoscaling = closed({
  kind: oneOf('none', 'cpu', 'work', 'keda'),
  minReplicas: count(0),
  maxReplicas: count(1),
  targetCPUUtilizationPercentage: count(1),
  targetMemoryUtilizationPercentage: count(0),
  work: workTargets(),
  behavior: foreign,
  lagThreshold: count(1),
  activationLagThreshold: count(0),
  pollingInterval: count(1),
  cooldownPeriod: count(0),
  triggers: foreignList,
})

/** What the values say of a pod, of a target or of the migration step. */
const pod: Readonly<Record<string, Schema>> = {
  resources: foreign,
  affinity: foreign,
  nodeSelector: labels,
  tolerations: foreignList,
  priorityClassName: text,
  podAnnotations: labels,
  podLabels: labels,
  extraEnv: foreignList,
  extraVolumes: foreignList,
  extraVolumeMounts: foreignList,
}

/** The values of one target; `defaults` applies to all. */
const target = (settings: Readonly<Record<string, Schema>>): Schema =>
  closed({
    enabled: flag,
    replicas: count(0),
    settings: closed(settings),
    autoscaling: { $ref: '#/definitions/autoscaling' },
    podDisruptionBudget: closed({ enabled: flag, maxUnavailable: { type: ['integer', 'string'] } }),
    rollingUpdate: closed({
      maxSurge: { type: ['integer', 'string'] },
      maxUnavailable: { type: ['integer', 'string'] },
    }),
    probes: closed({ startup: probe, readiness: probe, liveness: probe }),
    terminationGracePeriodSeconds: count(0),
    topologySpreadConstraints: foreignList,
    spreadOver: listOf(nonEmpty),
    ...pod,
    annotations: labels,
    serviceAccountAnnotations: labels,
    extraEgress: foreignList,
  })

const peers = closed({ to: foreignList, ports: listOf(port) })

const networkPolicy = closed({
  enabled: flag,
  publicFrom: foreignList,
  metricsFrom: foreignList,
  dns: peers,
  nats: peers,
  postgres: peers,
  redis: peers,
  chains: peers,
  collector: peers,
})

const monitoring = closed({
  cluster: { type: 'string', pattern: '^[A-Za-z0-9._-]*$' },
  serviceMonitor: closed({
    enabled: flag,
    interval: text,
    scrapeTimeout: text,
    labels,
    metricRelabelings: foreignList,
  }),
  rules: closed({
    enabled: flag,
    labels,
    runbookUrl: { type: 'string', pattern: '^(https?://[^"\\\\]+)?$' },
    alerts: closed(alertSchemas()),
  }),
  runbooks: closed({ enabled: flag, labels, annotations: labels }),
  dashboards: closed({ enabled: flag, labels, annotations: labels }),
})

/** helm/callboard/values.schema.json: strict everywhere, with the settings that the services read. */
export function valuesSchema(modules: readonly ServiceModule[], targets: Readonly<Record<string, Target>>): string {
  const fields: Record<string, z.ZodType> = Object.assign({}, ...modules.flatMap(schemasOf).map(({ shape }) => shape))
  const open: Record<string, Schema> = {}
  const all: Record<string, Schema> = {}
  for (const { settings } of Object.values(targets)) {
    for (const [name, { secret }] of Object.entries(settings)) {
      all[name] = { $ref: '#/definitions/secretRef' }
      const field = fields[name]
      if (!secret && field) open[name] = settingSchema(field)
    }
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Generated by npm run helm:gen.',
    definitions: { secretRef, autoscaling, target: target(open) },
    ...closed({
      global: foreign,
      nameOverride: text,
      fullnameOverride: text,
      image: closed({
        repository: nonEmpty,
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
        pullSecrets: listOf(closed({ name: nonEmpty }, ['name'])),
      }),
      listenOn: oneOf('0.0.0.0', '::'),
      settings: closed(open),
      secrets: closed(all),
      defaults: { $ref: '#/definitions/target' },
      targets: closed(Object.fromEntries(Object.keys(targets).map((name) => [name, { $ref: '#/definitions/target' }]))),
      migrations: closed({
        mode: oneOf('job', 'hook', 'none'),
        databaseRolePrefix: { type: 'string', pattern: '^([a-z_][a-z0-9_]{0,39})?$' },
        annotations: labels,
        backoffLimit: count(0),
        activeDeadlineSeconds: count(1),
        ttlSecondsAfterFinished: count(0),
        ...pod,
      }),
      postgres: closed({ maxConnections: count(0), poolerConnections: count(0) }),
      service: closed({
        type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
        port,
        externalTrafficPolicy: oneOf('', 'Local', 'Cluster'),
        annotations: labels,
        labels,
      }),
      ingress: closed({
        enabled: flag,
        className: text,
        annotations: labels,
        hosts: listOf(nonEmpty),
        tls: foreignList,
      }),
      httpRoute: closed({
        enabled: flag,
        annotations: labels,
        parentRefs: foreignList,
        hostnames: listOf(nonEmpty),
        timeoutSeconds: count(0),
      }),
      keda: closed({ prometheusAddress: text, natsMonitoringEndpoint: text, account: nonEmpty, useHttps: flag }),
      networkPolicy,
      monitoring,
      test: closed({ enabled: flag, path: { type: 'string', pattern: '^/' } }),
      extraObjects: foreignList,
    }),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}
