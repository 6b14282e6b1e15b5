import type { Command } from '../../command.ts'
import { EXIT, Usage } from '../../exit-codes.ts'
import type { Print } from '../../print.ts'
import { changesOf } from '../../selling/changes.ts'
import { requireFit } from '../../selling/fit.ts'
import { describedListing, listingFileIn } from '../../selling/listing-file.ts'
import { nextStep } from '../../selling/next-step.ts'
import { ownListing } from '../../selling/own-listing.ts'
import { leftBy, type Plan, planOf, STEP_WORDS, type Step } from '../../selling/plan.ts'
import { sellerOf } from '../../selling/seller.ts'
import { takeSteps } from '../../selling/take-steps.ts'
import { UnderWay } from '../../selling/under-way.ts'
import { payoutWalletOf } from '../../settings.ts'

/** `callboard sell publish FILE`: makes the listing what its file says. */
export const sellPublish: Command = {
  usage: 'sell publish [FILE] [--activate | --offline] [--dry-run] [--yes]',
  about: [
    '  Makes your listing what FILE says (listing.json if you name none), and does nothing where it is that already. The',
    '  first time, it creates a draft, which the payout wallet signs. `slug` in the file names the listing afterwards.',
    '',
    '  --activate  also activates it where it is not live',
    '  --offline   leaves it offline, and changes no live one. A listing that was live before needs one of these, unless this',
    '              machine began to change it and did not end: then the command ends that, and the listing is live again',
    '  --dry-run   says what it would do',
    '  --yes       also does what takes a live listing offline or has a verified one reviewed again. Without it, such a',
    '              change is refused with exit code 2',
    '',
    '  FILE holds JSON: `name`, `description`, `category`, `network`, and `operations`, each with `method`, `url`, `name`,',
    '  and possibly `description` and `sample`.',
  ],
  options: {
    activate: { type: 'boolean' },
    offline: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const [file = 'listing.json', ...more] = words
    if (more.length > 0) throw new Usage('sell publish takes one file')
    const [activates, staysOffline] = [values.activate === true, values.offline === true]
    if (activates && staysOffline) throw new Usage('--activate and --offline exclude each other')
    const wanted = listingFileIn(file)
    const seller = sellerOf(settings)
    const listing = describedListing(wanted, await seller.listings())
    const changes = listing ? changesOf(wanted, listing) : { words: {}, sells: [] }
    const underWay = listing && new UnderWay(settings, seller.api.baseUrl, listing.slug)
    const begun = staysOffline ? undefined : underWay?.read()
    const plan = planOf(listing, changes, { activates, staysOffline, begun })
    if (values['dry-run'] === true) return dryRun(print, plan, changes.sells)
    if (plan.undecided !== undefined) throw new Usage(`${plan.undecided} Nothing was changed.`)
    if (plan.surprise !== undefined && values.yes !== true)
      throw new Usage(`${plan.surprise} To do that, repeat the command with --yes. Nothing was changed.`)
    if (listing && plan.steps.includes('suspend')) {
      await requireFit(seller, wanted, listing)
      underWay?.begin({ isReviewed: begun?.isReviewed === true || listing.verification !== 'none' })
    }

    const done: Step[] = []
    const onStep = (step: Step) => {
      done.push(step)
      print.progress('step', { step }, `Done: ${STEP_WORDS[step]}`)
    }
    const publication = { seller, wanted, changes, wallet: () => payoutWalletOf(settings), onStep }
    const { listing: made, warnings } = await takeSteps(publication, plan.steps, listing).catch((error: unknown) => {
      const changesLive = begun !== undefined || plan.steps.includes('suspend')
      const left = listing && changesLive ? leftBy(plan, done, listing.slug) : undefined
      if (left !== undefined) print.progress('broken_off', { slug: listing?.slug, done, left }, left)
      throw error
    })
    underWay?.end()
    const now = await ownListing(seller, made.slug)
    const { slug, status, verification } = now
    const next = nextStep(now)
    if (!listing)
      print.progress('created', { slug }, `To change it later with this file, add "slug": "${slug}" to ${file}.`)
    print.result({ slug, status, verification, steps: done, changes, warnings, next: next ?? null }, [
      done.length === 0 ? `${slug} is what ${file} says: nothing was changed.` : `${slug}: ${status}`,
      ...changes.sells.map((change) => `  ${change}`),
      ...warnings.map(({ message }) => `  warning  ${message}`),
      ...(next ? [`  next  ${next}`] : []),
    ])
    return EXIT.ok
  },
}

function dryRun(print: Print, { steps, surprise, undecided }: Plan, sells: readonly string[]): number {
  const needed = { needsYes: surprise !== undefined, surprise: surprise ?? null, undecided: undecided ?? null }
  print.result({ steps, sells, ...needed }, [
    ...(steps.length === 0 ? ['Nothing would be changed.'] : steps.map((step) => `would ${STEP_WORDS[step]}`)),
    ...sells.map((change) => `  ${change}`),
    ...(surprise ? [`It needs --yes: ${surprise}`] : []),
    ...(undecided ? [undecided] : []),
  ])
  return EXIT.ok
}
