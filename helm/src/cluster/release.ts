import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@callboard/testkit/until'
import { parseAllDocuments } from 'yaml'
import { CHART, type KubeObject } from '../chart.ts'
import type { KubeApi } from './api.ts'

const RELEASE = 'cb'
const STANDS_WITHIN_MS = 120_000

/** A pod as the server returns it. */
export interface Pod {
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
    readonly deletionTimestamp?: string
  }
  readonly spec: { readonly nodeName?: string; readonly topologySpreadConstraints?: readonly SpreadConstraint[] }
  readonly status: { readonly phase: string }
}

/** How pods must be spread. @source core/v1, TopologySpreadConstraint */
export interface SpreadConstraint {
  readonly maxSkew: number
  readonly topologyKey: string
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'
  readonly labelSelector?: { readonly matchLabels?: Readonly<Record<string, string>> }
  readonly matchLabelKeys?: readonly string[]
}

/** A Deployment as the server returns it. */
export interface Deployment {
  readonly metadata: {
    readonly name: string
    readonly generation: number
    readonly labels: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly replicas: number
    readonly template: object
    readonly strategy: { readonly rollingUpdate?: { readonly maxUnavailable?: number } }
  }
  readonly status: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly availableReplicas?: number
  }
}

/** An operator's access to the API server: its address, and the helm to use. */
export interface Place {
  readonly api: KubeApi
  readonly helm: string
  readonly kubeconfig: string
  /** The folder of helm's own files. */
  readonly folder: string
}

/** A release of the chart in a namespace of its own, managed by helm. */
export class Release {
  readonly namespace: string
  readonly #place: Place
  #written = 0

  constructor(place: Place, namespace: string) {
    this.#place = place
    this.namespace = namespace
  }

  /** What the chart renders for this cluster, including hooks and tests. */
  async rendered(values: string, more: object = {}): Promise<KubeObject[]> {
    const text = await this.#helm(['template', RELEASE, CHART, '--validate', ...this.#values(values, more)])
    return parseAllDocuments(text, { version: '1.1' }).flatMap(
      (document) => (document.toJS() as KubeObject | null) ?? [],
    )
  }

  async upgrade(values: string, more: object = {}): Promise<void> {
    await this.#helm(['upgrade', '--install', RELEASE, CHART, ...this.#values(values, more)])
  }

  async rollback(revision: number): Promise<void> {
    await this.#helm(['rollback', RELEASE, String(revision)])
  }

  /** @throws Error with helm's output where a test fails */
  async test(): Promise<string> {
    return this.#helm(['test', RELEASE])
  }

  async uninstall(): Promise<void> {
    await this.#helm(['uninstall', RELEASE])
  }

  deployments = async (): Promise<readonly Deployment[]> =>
    (await this.#place.api.get(`/apis/apps/v1/namespaces/${this.namespace}/deployments`)).items

  /** The Deployment of a target. */
  async deployment(target: string): Promise<Deployment> {
    const found = (await this.deployments()).find(
      ({ metadata }) => metadata.labels['app.kubernetes.io/component'] === target,
    )
    if (!found) throw new Error(`There is no Deployment of ${target}.`)
    return found
  }

  /** Pods that are neither finished nor terminating. */
  pods = async (): Promise<readonly Pod[]> =>
    ((await this.#place.api.get(`/api/v1/namespaces/${this.namespace}/pods`)).items as Pod[]).filter(
      ({ metadata, status }) => metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded',
    )

  /** Resolves when every Deployment has its replicas, all of the newest revision, and every Job has succeeded. */
  async stands(): Promise<void> {
    await until(
      `all of ${this.namespace} stands`,
      async () =>
        (await this.deployments()).every(isStanding) &&
        (await this.#jobs()).every(({ status }) => status.succeeded === 1),
      STANDS_WITHIN_MS,
    )
  }

  #jobs = async (): Promise<readonly { readonly status: { readonly succeeded?: number } }[]> =>
    (await this.#place.api.get(`/apis/batch/v1/namespaces/${this.namespace}/jobs`)).items

  #values(values: string, more: object): readonly string[] {
    this.#written += 1
    const file = join(this.#place.folder, `${this.namespace}-${this.#written}.json`)
    writeFileSync(file, JSON.stringify(more))
    return ['-f', values, '-f', file]
  }

  async #helm(args: readonly string[]): Promise<string> {
    const { helm, kubeconfig, folder } = this.#place
    const { stdout } = await promisify(execFile)(helm, [...args, '--namespace', this.namespace], {
      env: {
        ...process.env,
        KUBECONFIG: kubeconfig,
        HELM_CACHE_HOME: folder,
        HELM_CONFIG_HOME: folder,
        HELM_DATA_HOME: folder,
      },
      maxBuffer: 1 << 26,
    })
    return stdout
  }
}

const isStanding = ({ metadata, spec, status }: Deployment): boolean =>
  status.observedGeneration === metadata.generation &&
  [status.replicas, status.updatedReplicas, status.availableReplicas].every((count) => (count ?? 0) === spec.replicas)
