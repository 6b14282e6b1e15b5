const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

/**
 * A node's new heads, pushed over WebSocket, where the node accepts one at the URL of its JSON-RPC over HTTP, as anvil
 * and many providers do. It only signals when to check: the data is read over HTTP. Where it is not available it is
 * retried at growing intervals, and `isHeld` is false.
 * @source Ethereum JSON-RPC, eth_subscribe `newHeads`
 */
export class HeadSubscription {
  readonly #url: string
  readonly #onHead: () => void
  #socket: WebSocket | undefined
  #isHeld = false
  #stopped = false
  #retryMs = FIRST_RETRY_MS
  #retry: NodeJS.Timeout | undefined

  /** @param onHead called at each head, and when the subscription begins or is lost: heads may have been missed */
  constructor(rpcUrl: string, onHead: () => void) {
    this.#url = rpcUrl.replace(/^http/, 'ws')
    this.#onHead = onHead
  }

  /** Whether the node confirmed the subscription and the connection is open. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  start(): void {
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    })
    socket.addEventListener('message', ({ data }) => this.#heard(socket, data))
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', () => this.#lost())
  }

  stop(): void {
    this.#stopped = true
    this.#isHeld = false
    clearTimeout(this.#retry)
    this.#socket?.close()
  }

  #heard(socket: WebSocket, data: unknown): void {
    const message = messageIn(data)
    if (message === 'confirmed') {
      this.#isHeld = true
      this.#retryMs = FIRST_RETRY_MS
    }
    if (message === 'refused') socket.close()
    else if (!this.#stopped) this.#onHead()
  }

  #lost(): void {
    if (this.#stopped) return
    const wasHeld = this.#isHeld
    this.#isHeld = false
    this.#retry = setTimeout(() => this.start(), this.#retryMs).unref()
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2)
    if (wasHeld) this.#onHead()
  }
}

/** The kind of a node's message: the answer to our subscription, or a head. */
function messageIn(data: unknown): 'confirmed' | 'refused' | 'head' {
  try {
    const said: unknown = JSON.parse(String(data))
    if (typeof said !== 'object' || said === null || !('id' in said)) return 'head'
    return 'result' in said && said.result ? 'confirmed' : 'refused'
  } catch {
    return 'refused'
  }
}
