import type { z } from 'zod'
import { inlineSchema, isObject, type JsonObject } from '../openapi/json-schema.ts'
import { BY_THE_EDGE } from '../openapi/requests.ts'
import type { Operation, Route } from '../operation.ts'

/** What a language model reads about an operation that it may call, and what the operation does to the world. */
interface ToolText<Op extends Operation> {
  /** What it answers, when to use it, and when not. */
  readonly description: string
  /** What each input means, with its unit and its bounds. */
  readonly inputs: Readonly<Record<keyof z.input<Op['input']> & string, string>>
  /** It may take away what a later call does not bring back as it was. */
  readonly destructive?: true
  /** It has a server of somebody else called. */
  readonly openWorld?: true
}

/**
 * An operation as the hosted MCP server and the agent-to-agent server offer it: one name, one schema and one set of
 * rules, those of its route.
 */
export interface Tool {
  readonly op: Route
  readonly name: string
  /**
   * The tool as `tools/list` shows it. It has no output schema: all of them together would fill a model's context many
   * times over, and `/openapi.json` has them.
   * @source MCP 2025-11-25, server/tools
   */
  readonly listed: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: JsonObject & { readonly type: 'object' }
    readonly annotations: {
      readonly readOnlyHint: boolean
      readonly destructiveHint: boolean
      readonly idempotentHint: boolean
      readonly openWorldHint: boolean
    }
  }
}

/** The name of an operation as a tool: its id without the dot, which model providers refuse in names. */
const nameOf = ({ id }: Operation): string => id.replace('.', '_')

/** Declares a tool. Its input schema is the operation's, without references, since few clients resolve any. */
export function tool<Op extends Route>(op: Op, text: ToolText<Op>): Tool {
  let listed: Tool['listed'] | undefined
  return {
    op,
    name: nameOf(op),
    /** Made when first read: most processes that know the contract list no tools. */
    get listed() {
      listed ??= listedAs(op, text)
      return listed
    },
  }
}

function listedAs<Op extends Route>(op: Op, { description, inputs, destructive, openWorld }: ToolText<Op>) {
  const { method, changes } = op.http
  return {
    name: nameOf(op),
    title: op.summary,
    description,
    inputSchema: inputSchema(op, inputs),
    annotations: {
      readOnlyHint: method === 'GET' && !changes,
      destructiveHint: destructive === true,
      idempotentHint: method !== 'POST',
      openWorldHint: openWorld === true,
    },
  }
}

function inputSchema({ input }: Operation, inputs: Readonly<Record<string, string>>) {
  const { properties, ...schema } = inlineSchema(input, 'input')
  const named = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => !BY_THE_EDGE.includes(name))
  const described = named.map(([name, property]) => [
    name,
    { ...(isObject(property) ? property : {}), description: inputs[name] },
  ])
  return { ...schema, type: 'object' as const, properties: Object.fromEntries(described) }
}

/** The arguments of a tool as a model gives them: null stands for what it leaves out, and no tool takes a null. */
export const argumentsOf = (given: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
