import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../generated-files.ts'

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

/**
 * The code that a process under `--inspect` runs, by file.
 * @source Chrome DevTools Protocol, domain Profiler
 */
export class CoverageSession {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
      if (id !== undefined) this.#waiting.get(id)?.(result)
    })
  }

  /** @param port of the process's inspector */
  static async open(port: number): Promise<CoverageSession> {
    const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      webSocketDebuggerUrl: string
    }[]
    if (!target) throw new Error(`no process is inspected at port ${port}`)
    const socket = new WebSocket(target.webSocketDebuggerUrl)
    const { promise: open, resolve, reject } = Promise.withResolvers<unknown>()
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`the inspector at port ${port} cannot be reached`)))
    await open
    const session = new CoverageSession(socket)
    await session.#send('Profiler.enable')
    await session.#send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    return session
  }

  /** The repository's files of which any function ran since the last call, by path from the root. */
  async ranFiles(): Promise<ReadonlySet<string>> {
    const { result } = (await this.#send('Profiler.takePreciseCoverage')) as { result: readonly ScriptCoverage[] }
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    const paths = ran
      .filter(({ url }) => url.startsWith('file://'))
      .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    return new Set(paths.filter((path) => !path.startsWith('..') && !path.includes('node_modules/')))
  }

  close(): void {
    this.#socket.close()
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params }))
    return promise.finally(() => this.#waiting.delete(id))
  }
}
