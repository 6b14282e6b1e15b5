import { Api, catalog } from '@callboard/client'
import { accountOf, type Devnet, PEOPLE } from './devnet.ts'
import { eventually } from './eventually.ts'
import { tell } from './narration.ts'
import { replace } from './own-file.ts'
import { startSampleSource } from './sample-source.ts'

const fileOf = (url: string) => `# Written by the demonstration: a second, small source.
sources:
  - { name: sample-source, kind: well-known, url: '${url}', intervalHours: 1 }
`

/**
 * Shows that a seller is found without listing itself: a source names what it sells, the mirror imports that, and the
 * prober reads the price.
 * @param sourcesFile the instance's file of sources, which is read again when it changes
 * @returns a function that ends the seller
 */
export async function mirrorSecondSource(devnet: Devnet, sourcesFile: string): Promise<() => Promise<void>> {
  const { url, stop } = await startSampleSource(devnet, accountOf(devnet, PEOPLE.passerBy).address)
  try {
    await replace(sourcesFile, fileOf(url))
    tell('A second seller, who lists nothing here, publishes what it sells', url)
    const api = new Api(devnet)
    const found = await eventually('the mirrored resource is in the directory', async () => {
      const { items } = await api.call(catalog.discovery, { q: 'tides' })
      return items.find(({ group, execution }) => group === 'external' && execution?.payable)
    })
    const facts = found.card.facts.map(({ label, value }) => `${label} ${value}`).join(', ')
    tell('is mirrored, probed and found under “tides”, without a network fee', `${found.card.title}: ${facts}`)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
