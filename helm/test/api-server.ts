import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Tree = { [member: string]: unknown }

/** An object as stored. */
export interface Stored extends Tree {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> }
  spec: Tree
}

const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  v1: {
    ServiceAccount: 'serviceaccounts',
    Service: 'services',
    Secret: 'secrets',
    ConfigMap: 'configmaps',
    Pod: 'pods',
  },
  'apps/v1': { Deployment: 'deployments' },
  'batch/v1': { Job: 'jobs' },
  'policy/v1': { PodDisruptionBudget: 'poddisruptionbudgets' },
  'autoscaling/v2': { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  'networking.k8s.io/v1': { NetworkPolicy: 'networkpolicies', Ingress: 'ingresses' },
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A merge patch: null removes a member, lists are replaced, and directives of the strategic kind are ignored. */
function patched(value: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return patch
  const merged: Tree = isTree(value) ? { ...value } : {}
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete merged[name]
    else if (!name.startsWith('$')) merged[name] = patched(merged[name], change)
  }
  return merged
}

/** Defaults set by an API server. @source apps/v1, DeploymentSpec.replicas: "Defaults to 1" */
const defaulted = (object: Stored): Stored =>
  object.kind === 'Deployment' && object.spec.replicas === undefined
    ? { ...object, spec: { ...object.spec, replicas: 1 } }
    : object

function discovery(path: string): object | undefined {
  if (path === '/version') return { major: '1', minor: '34', gitVersion: 'v1.34.0' }
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (path === '/apis') {
    const groups = Object.keys(KINDS).flatMap((groupVersion) => {
      const [name, version] = groupVersion.split('/')
      return version
        ? [{ name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } }]
        : []
    })
    return { kind: 'APIGroupList', apiVersion: 'v1', groups }
  }
  const groupVersion = path.replace(/^\/apis?\//, '')
  const kinds = KINDS[groupVersion]
  const resources = Object.entries(kinds ?? {}).map(([kind, name]) => ({
    name,
    kind,
    namespaced: true,
    verbs: ['get'],
  }))
  return kinds && { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

/** The list kind of a collection. */
function listKind(path: string): { readonly kind: string; readonly apiVersion: string } {
  const [, apiVersion = '', plural] = /^\/apis?\/(.+)\/namespaces\/[^/]+\/([^/]+)$/.exec(path) ?? []
  const [kind = ''] = Object.entries(KINDS[apiVersion] ?? {}).find(([, name]) => name === plural) ?? []
  return { kind: `${kind}List`, apiVersion }
}

/**
 * As much of a Kubernetes API server as helm needs to install and upgrade: discovery, and objects that are stored,
 * patched and given the one default that matters to scaling. It replaces the real one of `npm run cluster:real`, which
 * takes long to build.
 */
export async function startApiServer() {
  const objects = new Map<string, Stored>()

  const listed = (path: string, selector: string | null) => {
    const wanted = (selector ?? '')
      .split(',')
      .filter(Boolean)
      .map((term) => term.split('='))
    const items = [...objects].filter(([key]) => key.startsWith(`${path}/`)).map(([, object]) => object)
    return items.filter(({ metadata }) => wanted.every(([label = '', value]) => metadata.labels?.[label] === value))
  }

  async function answer(req: IncomingMessage): Promise<[number, object]> {
    const { pathname: path, searchParams } = new URL(req.url ?? '/', 'http://local')
    const body = req.method === 'GET' ? undefined : JSON.parse((await text(req)) || '{}')
    const known = req.method === 'GET' ? discovery(path) : undefined
    if (known) return [200, known]
    const store = (key: string, object: Stored): [number, object] => {
      objects.set(key, defaulted(object))
      return [200, objects.get(key) ?? {}]
    }
    if (req.method === 'POST') return store(`${path}/${body.metadata.name}`, body)
    const object = objects.get(path)
    if (req.method === 'PUT') return store(path, body)
    if (object && req.method === 'PATCH') return store(path, patched(object, body) as Stored)
    if (object && req.method === 'DELETE') objects.delete(path)
    if (object) return [200, object]
    const isCollection = /\/namespaces\/[^/]+\/[^/]+$/.test(path)
    if (isCollection)
      return [200, { ...listKind(path), metadata: {}, items: listed(path, searchParams.get('labelSelector')) }]
    return [404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message: path }]
  }

  const server = createServer(async (req, res) => {
    const [status, body] = await answer(req)
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The Deployment with a name in the namespace `market`. */
    deployment(name: string): Stored {
      const found = objects.get(`/apis/apps/v1/namespaces/market/deployments/${name}`)
      if (!found) throw new Error(`There is no Deployment ${name}.`)
      return found
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
