// @ts-check
// Runs in the browser, as it stands: finds wallets (EIP-6963, then EIP-1193's window.ethereum), lets the chosen one sign
// an EIP-4361 message of purpose login, and opens a session with it.

/** @typedef {{ request(args: { method: string, params?: unknown[] }): Promise<unknown> }} Provider */
/** @typedef {{ info: { uuid: string, name: string, icon: string }, provider: Provider }} Announced */

/** How long to listen for wallets before saying that there are none. */
const LISTEN_MS = 600

const USER_REJECTED = 4001
const ALREADY_ASKING = -32002

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id))
const { returnTo = '/', chains: known = '' } = element('sign-in').dataset
const chains = known.split(' ').filter(Boolean)
const status = element('status')
/** @type {Map<Provider, string>} */
const wallets = new Map()
/** @type {(() => Promise<void>) | undefined} */
let sign

const signOut = document.getElementById('sign-out')
// Without this script the button does nothing.
if (signOut) signOut.hidden = false
/** What did not change. The page has a button to sign out where somebody is signed in. */
const AS_BEFORE = signOut ? 'You stay signed in as before.' : 'You are not signed in.'

/** A sentence for the person, as an error. */
class SentenceError extends Error {}

/** @param {unknown} error */
function sentenceOf(error) {
  if (error instanceof SentenceError) return error.message
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === USER_REJECTED) return 'You declined in your wallet. Nothing was signed.'
  if (code === ALREADY_ASKING) return 'Your wallet is already asking. Open it to answer.'
  return `That did not work. ${AS_BEFORE} Try again.`
}

/**
 * @param {string} doing
 * @param {() => Promise<void>} work
 */
async function attempt(doing, work) {
  status.textContent = doing
  try {
    await work()
  } catch (error) {
    status.textContent = sentenceOf(error)
  }
}

/** @param {Announced} announced */
function addWallet({ info, provider }) {
  if (wallets.has(provider)) return
  if ([...wallets.values()].includes(info.uuid)) element('same-wallet').hidden = false
  wallets.set(provider, info.uuid)
  element('no-wallet').hidden = true
  const button = document.createElement('button')
  button.type = 'button'
  if (/^data:image\//.test(info.icon)) {
    const icon = document.createElement('img')
    icon.src = info.icon
    icon.alt = ''
    button.append(icon)
  }
  button.append(`Sign in with ${info.name.slice(0, 40)}`)
  button.addEventListener('click', () => attempt('Your wallet asks which account to use.', () => prepare(provider)))
  const item = document.createElement('li')
  item.append(button)
  element('wallets').append(item)
}

/** @param {Response} answer */
async function refuseUnless(answer) {
  if (answer.ok) return
  const wait = answer.headers.get('retry-after')
  if (wait) throw new SentenceError(`This service cannot answer now. Try again in ${wait} s.`)
  const { message } = await answer.json().catch(() => ({}))
  throw new SentenceError(
    typeof message === 'string' ? `${AS_BEFORE} ${message}` : `The sign-in was not accepted. ${AS_BEFORE}`,
  )
}

/**
 * The chain that the message names: the wallet's own where this service knows it, else any that it knows. The wallet
 * is never asked to switch.
 * @param {Provider} provider
 */
async function chainIdOf(provider) {
  const own = String(Number(await provider.request({ method: 'eth_chainId' })))
  return chains.includes(own) ? own : (chains[0] ?? own)
}

/** @param {Provider} provider */
async function prepare(provider) {
  const accounts = /** @type {string[]} */ (await provider.request({ method: 'eth_requestAccounts' }))
  const [account] = accounts
  if (!account) throw new SentenceError('Your wallet returned no account.')
  const chainId = await chainIdOf(provider)
  const answer = await fetch('/api/auth/siwe-nonce?purpose=login')
  await refuseUnless(answer)
  const { domain, statement, uri, nonce, expiresAt } = await answer.json()
  // The server's clock, for it judges the times.
  const issuedAt = new Date(answer.headers.get('date') ?? Date.now()).toISOString()
  const message = [
    `${domain} wants you to sign in with your Ethereum account:\n${account}\n\n${statement}\n`,
    `URI: ${uri}\nVersion: 1\nChain ID: ${chainId}\nNonce: ${nonce}`,
    `Issued At: ${issuedAt}\nExpiration Time: ${expiresAt}`,
  ].join('\n')
  element('message').textContent = message
  element('confirm').hidden = false
  status.textContent = 'Read the message, then sign it.'
  sign = () => open(provider, account, message)
  element('sign').focus()
}

/**
 * @param {Provider} provider
 * @param {string} account
 * @param {string} message
 */
async function open(provider, account, message) {
  const bytes = [...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0'))
  const signature = await provider.request({ method: 'personal_sign', params: [`0x${bytes.join('')}`, account] })
  const answer = await fetch('/api/auth/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, signature }),
  })
  // A message that was refused once will not be accepted later: the wallet's button makes another.
  if (!answer.ok && !answer.headers.has('retry-after')) startOver()
  await refuseUnless(answer)
  status.textContent = 'You are signed in.'
  location.assign(returnTo)
}

function startOver() {
  sign = undefined
  element('confirm').hidden = true
  element('wallets').querySelector('button')?.focus()
}

element('sign').addEventListener('click', () => {
  if (sign) attempt('Your wallet shows the message.', sign)
})
signOut?.addEventListener('click', () =>
  attempt('Signing out.', async () => {
    const answer = await fetch('/api/auth/session', { method: 'DELETE' }).catch(() => undefined)
    // 401: the session has ended already.
    if (!answer?.ok && answer?.status !== 401) {
      throw new SentenceError('Signing out did not work. You are still signed in. Try again.')
    }
    location.reload()
  }),
)
window.addEventListener('eip6963:announceProvider', (event) => {
  if (event instanceof CustomEvent) addWallet(event.detail)
})
window.dispatchEvent(new Event('eip6963:requestProvider'))
document.getElementById('look-again')?.addEventListener('click', () => location.reload())
setTimeout(() => {
  const injected = 'ethereum' in window ? /** @type {Provider} */ (window.ethereum) : undefined
  if (wallets.size === 0 && injected) {
    addWallet({ info: { uuid: 'injected', name: 'this browser’s wallet', icon: '' }, provider: injected })
  }
  element('no-wallet').hidden = wallets.size > 0
}, LISTEN_MS)
