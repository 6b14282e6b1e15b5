import type { Abi, AbiParameter } from 'viem'
import { toEventSignature, toFunctionSignature } from 'viem'
import type { CompiledContract, NatspecEntry } from './solc.ts'

/**
 * The gaps in a contract's NatSpec: it needs a title and a notice, and everything in its ABI a notice, every parameter
 * and every returned value. Getters of state variables need only their notice.
 * @returns one line for each gap, for example "FeeSplitter: distribute(address): @param token"
 */
export function natspecGaps({ name, abi, getters, natspec: { user, dev } }: CompiledContract): string[] {
  const gaps = [...(dev.title ? [] : ['@title']), ...(user.notice ? [] : ['@notice'])]
  for (const item of abi as Abi) {
    if (item.type === 'function') {
      const signature = toFunctionSignature(item)
      const said = { ...dev.methods?.[signature], ...notice(user.methods?.[signature]) }
      const isGetter = getters.has(item.name)
      gaps.push(...gapsOf(signature, said, isGetter ? [] : item.inputs, isGetter ? [] : item.outputs))
    } else if (item.type === 'event') {
      const signature = toEventSignature(item)
      const said = { ...dev.events?.[signature], ...notice(user.events?.[signature]) }
      gaps.push(...gapsOf(signature, said, item.inputs))
    } else if (item.type === 'error') {
      const signature = `${item.name}(${item.inputs.map(({ type }) => type).join(',')})`
      const said = { ...dev.errors?.[signature]?.[0], ...notice(user.errors?.[signature]?.[0]) }
      gaps.push(...gapsOf(signature, said, item.inputs))
    } else if (item.type === 'constructor') {
      // Not `.constructor`: every object inherits an entry of that name.
      const [written, noticed] = [entryOf(dev.methods, 'constructor'), entryOf(user.methods, 'constructor')]
      const said = { ...written, ...notice(noticed) }
      gaps.push(...gapsOf('constructor', said, item.inputs))
    }
  }
  return gaps.map((gap) => `${name}: ${gap}`)
}

const entryOf = (entries: Readonly<Record<string, NatspecEntry>> | undefined, key: string): NatspecEntry | undefined =>
  entries && Object.hasOwn(entries, key) ? entries[key] : undefined

const notice = (entry: NatspecEntry | undefined) => (entry?.notice ? { notice: entry.notice } : {})

function gapsOf(
  signature: string,
  said: NatspecEntry,
  inputs: readonly AbiParameter[],
  outputs: readonly AbiParameter[] = [],
): string[] {
  const wanted = [
    ...(said.notice ? [] : ['@notice']),
    ...inputs.filter(({ name }) => !said.params?.[name ?? '']).map(({ name }) => `@param ${name}`),
    ...outputs
      .map(({ name }, at) => name || `_${at}`)
      .filter((name) => !said.returns?.[name])
      .map((name) => `@return ${name}`),
  ]
  return wanted.map((gap) => `${signature}: ${gap}`)
}
