import { randomBytes } from 'node:crypto'
import Provider from 'oidc-provider'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const SECRET = randomBytes(32).toString('hex')

/** Keeps everything in memory; the adapter that comes with the provider forgets what is over a thousand. */
class Memory {
  static #kept = new Map()
  #kind

  constructor(kind) {
    this.#kind = kind
  }

  async upsert(id, payload) {
    Memory.#kept.set(`${this.#kind}:${id}`, payload)
  }

  async find(id) {
    return Memory.#kept.get(`${this.#kind}:${id}`)
  }

  async destroy(id) {
    Memory.#kept.delete(`${this.#kind}:${id}`)
  }

  async consume() {}
  async revokeByGrantId() {}
  async findByUid() {}
  async findByUserCode() {}
}

const port = Number(process.env.PORT)
const none = { redirect_uris: [], response_types: [] }
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: Memory,
  clients: [
    { ...none, client_id: 'device', token_endpoint_auth_method: 'none', grant_types: [DEVICE_CODE] },
    { ...none, client_id: 'gateway', client_secret: SECRET, grant_types: ['client_credentials'] },
  ],
  features: {
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
  },
})
provider.listen(port, '127.0.0.1', () => console.log(`ready ${SECRET}`))
