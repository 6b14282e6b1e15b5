import { DAY_MS, MINUTE_MS } from '@callboard/values'
import type { Seller, World } from './world.ts'

/** When a campaign runs. */
interface Campaign {
  readonly seller: Seller
  readonly from: number
  readonly until: number
}

const campaign = (world: World, price?: number): Campaign => {
  const from = world.between(world.startMs, world.endMs - 6 * DAY_MS)
  return { seller: world.seller(price), from, until: from + world.between(5, 20) * DAY_MS }
}

const within = (world: World, { from, until }: Campaign): number => world.between(from, Math.min(until, world.endMs))

/** Calls of real customers during a campaign. */
function customersOf(world: World, one: Campaign, customers: readonly string[], calls: number): void {
  for (let call = 0; call < calls; call += 1) world.pay(world.pick(customers), one.seller, within(world, one))
}

type Scheme = (world: World, customers: readonly string[], sellers: readonly Seller[]) => void

function selfPay(world: World, customers: readonly string[]): void {
  const one = campaign(world)
  const calls = world.whole(60, 700)
  const payer = world.chance(0.7) ? one.seller.payTo : one.seller.alsoAt
  for (let call = 0; call < calls; call += 1) world.pay(payer, one.seller, within(world, one), { scheme: 'self_pay' })
  customersOf(world, one, customers, calls * world.between(0.2, 1))
}

function ring(world: World, customers: readonly string[]): void {
  const one = campaign(world)
  const members = Array.from({ length: world.whole(3, 12) }, () => world.seller(world.pick([10_000, 50_000, 100_000])))
  for (let round = world.whole(40, 160); round > 0; round -= 1) {
    const at = within(world, one)
    const amount = world.pick([10_000, 20_000, 100_000])
    for (const [place, member] of members.entries()) {
      // Some money takes a shorter path, so that it is no simple cycle.
      const hop = world.chance(0.85) ? 1 : 2
      const next = members[(place + hop) % members.length] as Seller
      if (next !== member) world.pay(member.wallet, next, at + place * MINUTE_MS, { scheme: 'ring', amount })
    }
    if (world.chance(0.2)) world.pay(world.pick(customers), world.pick(members), at, { amount: 10_000 })
  }
}

function onePayer(world: World, customers: readonly string[], sellers: readonly Seller[]): void {
  const one = campaign(world)
  const wallet = world.address()
  const calls = world.whole(300, 3_000)
  for (let call = 0; call < calls; call += 1) world.pay(wallet, one.seller, within(world, one), { scheme: 'one_payer' })
  customersOf(world, one, customers, Math.min(6, calls * world.between(0, 0.02)))
  for (let call = calls * world.between(0, 0.02); call > 1; call -= 1)
    world.pay(wallet, world.pick(sellers), within(world, one))
}

function freshWallets(world: World, customers: readonly string[], sellers: readonly Seller[]): void {
  const one = campaign(world)
  let made = 0
  for (let wallets = world.whole(250, 1_200); wallets > 0; wallets -= 1) {
    const wallet = world.address()
    const at = within(world, one)
    const calls = world.whole(1, 4)
    for (let call = 0; call < calls; call += 1)
      world.pay(wallet, one.seller, at + call * world.between(1, 30) * MINUTE_MS, { scheme: 'fresh_wallets' })
    made += calls
    if (world.chance(0.03)) world.pay(wallet, world.pick(sellers), at)
  }
  customersOf(world, one, customers, made * world.between(0, 0.1))
}

function dust(world: World, customers: readonly string[]): void {
  const one = campaign(world)
  const wallets = Array.from({ length: world.whole(6, 30) }, () => world.address())
  const calls = world.whole(300, 3_000)
  for (let call = 0; call < calls; call += 1) {
    const amount = world.whole(1, 90)
    world.pay(world.pick(wallets), one.seller, within(world, one), { scheme: 'dust', amount })
  }
  customersOf(world, one, customers, calls * world.between(0.1, 0.6))
}

function facilitatorsOwn(world: World, customers: readonly string[]): void {
  const one = campaign(world)
  const facilitator = world.facilitator()
  const calls = world.whole(80, 900)
  for (let call = 0; call < calls; call += 1) {
    const by = world.chance(0.8) ? facilitator : world.facilitator()
    world.pay(facilitator, one.seller, within(world, one), { scheme: 'facilitators_own', facilitator: by })
  }
  customersOf(world, one, customers, calls * world.between(0.2, 1))
}

function splitterLoop(world: World, customers: readonly string[]): void {
  const one = campaign(world)
  const looped = { ...one.seller, wallet: world.address() }
  world.sellers[world.sellers.indexOf(one.seller)] = looped
  const calls = world.whole(60, 700)
  for (let call = 0; call < calls; call += 1)
    world.pay(looped.wallet, looped, within(world, one), { scheme: 'splitter_loop' })
  customersOf(world, one, customers, calls * world.between(0.2, 1))
}

function bursts(world: World, customers: readonly string[]): void {
  const one = campaign(world)
  let made = 0
  for (let day = one.from; day < one.until; day += 2 * DAY_MS) {
    for (let wallets = world.whole(1, 3); wallets > 0; wallets -= 1) {
      const wallet = world.address()
      const calls = world.whole(90, 400)
      const at = day + world.random() * 2 * DAY_MS
      const spell = world.between(2, 14) * MINUTE_MS
      for (let call = 0; call < calls; call += 1)
        world.pay(wallet, one.seller, at + world.random() * spell, { scheme: 'burst' })
      made += calls
    }
  }
  customersOf(world, one, customers, made * world.between(0.02, 0.25))
}

/** Every scheme by name, with the approximate settlements per campaign. */
export const SCHEMES: Readonly<Record<string, Scheme>> = {
  self_pay: selfPay,
  ring,
  one_payer: onePayer,
  fresh_wallets: freshWallets,
  dust,
  facilitators_own: facilitatorsOwn,
  splitter_loop: splitterLoop,
  burst: bursts,
}
