import { existsSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@callboard/embedded'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'

/** A Postgres that a test can stop and restart, and the connection through which services reach it. */
export class RestartablePostgres {
  /** A database whose `url` goes through that connection; `query` bypasses it. */
  readonly database: TestDatabase
  readonly #folder: string
  readonly #line: Server
  readonly #sockets: Set<Socket>
  #postgres: Postgres
  #isMute = false

  private constructor(folder: string, postgres: Postgres, direct: TestDatabase, line: Server) {
    this.#folder = folder
    this.#postgres = postgres
    this.#line = line
    this.#sockets = new Set()
    line.on('connection', (client) => this.#connect(client))
    const url = new URL(direct.url)
    url.port = String((line.address() as AddressInfo).port)
    this.database = { ...direct, url: url.href }
  }

  static async start(): Promise<RestartablePostgres> {
    const folder = serverFolder('callboard-restartable-')
    const postgres = await startPostgres({ dataDir: folder })
    const line = createServer()
    await new Promise<void>((listening) => line.listen(0, '127.0.0.1', listening))
    return new RestartablePostgres(folder, postgres, await testDatabase(postgres.url()), line)
  }

  #connect(client: Socket): void {
    const server = connect(this.#postgres.port, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (bytes) => {
        if (from === client || !this.#isMute) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }

  /** Drops everything that Postgres sends until it is restarted. What is sent to it still arrives. */
  mute(): void {
    this.#isMute = true
  }

  /** Stops it like `pg_ctl stop -m immediate` and returns when it is gone; nothing else runs meanwhile. */
  stopAtOnce(): void {
    const pidFile = join(this.#folder, 'data', 'postmaster.pid')
    if (!existsSync(pidFile)) throw new Error(`There is no ${pidFile}`)
    this.#postgres.signal('SIGQUIT')
    const turn = new Int32Array(new SharedArrayBuffer(4))
    while (existsSync(pidFile)) Atomics.wait(turn, 0, 0, 5)
  }

  async startAgain(): Promise<void> {
    await this.#postgres.exited
    for (const socket of this.#sockets) socket.destroy()
    this.#isMute = false
    this.#postgres = await startPostgres({ dataDir: this.#folder, port: this.#postgres.port })
  }

  async dispose(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#line.close()
    await this.database.drop()
    await this.#postgres.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
