import { hostname } from 'node:os'
import { type ApiKeyRecord, ApiRefusal, createApiKey, endApiKey, listings, type StoredApiKey } from '@callboard/client'
import { oauth } from '@callboard/contract'
import type { Command } from '../../command.ts'
import { EXIT, NotSignedIn, Usage } from '../../exit-codes.ts'
import { apiKeyFileOf, Seller } from '../../selling/seller.ts'
import { isSameOrigin, payoutWalletOf } from '../../settings.ts'

/** `callboard sell login`: creates an API key with the payout wallet's signature, unless the stored one is valid. */
export const sellLogin: Command = {
  usage: 'sell login [--label NAME]',
  about: [
    '  Signs in with the payout wallet (CALLBOARD_PAYOUT_KEY, or payout.key), and stores an API key. While the stored key',
    '  is valid, no other is created. --label is its name on /account. A job that has CALLBOARD_API_KEY needs no login.',
  ],
  options: { label: { type: 'string' } },
  async run({ settings, print, values }) {
    const label = labelOf(values.label)
    const wallet = payoutWalletOf(settings)
    const file = apiKeyFileOf(settings)
    return file.locked(async () => {
      const stored = file.read()
      if (stored && !(isSameOrigin(stored, settings) && stored.wallet === wallet.address))
        throw new Usage(
          `You are signed in at ${stored.baseUrl} as ${stored.wallet}. End that first: callboard sell logout --url ${stored.baseUrl}`,
        )
      const valid = stored && (await isAccepted(stored)) ? stored : undefined
      const { baseUrl } = settings
      const keep = (made: { readonly id: string; readonly label: string; readonly key: string }) =>
        file.keep({ baseUrl, wallet: wallet.address, id: made.id, label: made.label, key: made.key })
      const { made, unused } = valid
        ? { made: valid, unused: [] }
        : await createApiKey({ baseUrl, wallet }, label, keep)
      const { id: keyId, label: name } = made
      const who = { baseUrl, wallet: wallet.address, keyId, label: name }
      print.result({ signedIn: true, created: !valid, ...who, unusedKeys: unused }, [
        valid
          ? `Already signed in at ${baseUrl} as ${wallet.address}, with the API key ${name}.`
          : `Signed in at ${baseUrl} as ${wallet.address}. The API key ${name} is in ${file.file}.`,
        ...unused.map((key) => unusedLine(key, baseUrl)),
      ])
      return EXIT.ok
    })
  },
}

/** `callboard sell logout`: ends the API key at the service, then removes it here. */
export const sellLogout: Command = {
  usage: 'sell logout',
  about: [
    '  Ends the stored API key. The payout wallet signs for that, unless the key has already ended. If you no longer have',
    '  the wallet’s key here, end the API key on /account, then run this command.',
  ],
  options: {},
  async run({ settings, print }) {
    const file = apiKeyFileOf(settings)
    return file.locked(async () => {
      const stored = file.read()
      if (!stored) throw new NotSignedIn(`There is no API key in ${file.file}`)
      const { baseUrl, id, label } = stored
      if (!settings.isDefaultUrl && !isSameOrigin(stored, settings))
        throw new Usage(`The API key in ${file.file} is for ${baseUrl}, not for ${settings.baseUrl}`)
      const wasOver = !(await isAccepted(stored))
      if (!wasOver) {
        const wallet = payoutWalletOf(settings)
        if (wallet.address !== stored.wallet)
          throw new Usage(
            `The API key is of ${stored.wallet}, and CALLBOARD_PAYOUT_KEY or payout.key of another wallet.`,
          )
        await endApiKey({ baseUrl, wallet }, id)
      }
      file.forget()
      print.result({ signedOut: true, baseUrl, keyId: id, wasOver }, [
        wasOver
          ? `The API key ${label} had already ended. It is now removed here too.`
          : `The API key ${label} has ended at ${baseUrl}, and is removed here.`,
      ])
      return EXIT.ok
    })
  },
}

/** A login that broke off may have left a key that is stored nowhere. */
const unusedLine = ({ label, prefix, createdAt }: ApiKeyRecord, baseUrl: string): string =>
  `  An API key of this wallet was never used: ${label} (${prefix}…), created ${createdAt}. If it is not yours to keep, end it on ${new URL(baseUrl).origin}/account`

/** Whether the service accepts a stored key. @throws ApiUnreachable, and other refusals */
const isAccepted = ({ baseUrl, key }: StoredApiKey): Promise<boolean> =>
  new Seller(baseUrl, key).call(listings.mine, { limit: 1 }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotSignedIn && error.cause instanceof ApiRefusal) return false
      throw error
    },
  )

function labelOf(given: unknown): string {
  const { label } = oauth.createKey.input.shape
  if (given === undefined) return label.catch('callboard').parse(`callboard on ${hostname()}`)
  const parsed = label.safeParse(given)
  if (!parsed.success) throw new Usage(`--label: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}
