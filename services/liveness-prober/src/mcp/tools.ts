import { isObject, own } from '@callboard/x402'

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: Record<string, unknown>
}

/** Tools with longer names cannot be called. @source MCP 2025-11-25: 1 to 128 characters */
const MAX_NAME = 128

/**
 * The tools of `tools/list` results that are marked as paid, each once. An unpaid call of another would run it; those
 * marked as destructive are not tried.
 * @param pages the server's results, one page after another
 * @source `annotations.paymentHint` of x402-mcp and of Cloudflare's agents, `_meta["agents-x402/paymentRequired"]` of
 * the latter
 */
export function soldTools(pages: readonly unknown[]): ListedTool[] {
  const tools = pages.flatMap((page): unknown[] => (isObject(page) && Array.isArray(page.tools) ? page.tools : []))
  const sold = tools.filter(isObject).filter(saysItIsSold).flatMap(listedTool)
  return [...new Map(sold.map((tool) => [tool.name, tool])).values()]
}

function saysItIsSold({ annotations, _meta: meta }: Record<string, unknown>): boolean {
  const hints = isObject(annotations) ? annotations : {}
  const isPaid = hints.paymentHint === true || (isObject(meta) && own(meta, 'agents-x402/paymentRequired') === true)
  return isPaid && hints.destructiveHint !== true
}

function listedTool({ name, description, inputSchema }: Record<string, unknown>): ListedTool | [] {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return []
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(inputSchema) ? { inputSchema } : {}),
  }
}

/** The cursor of the next page of a list; undefined for the last page. */
export function nextCursor(result: unknown): string | undefined {
  const cursor = isObject(result) ? result.nextCursor : undefined
  return typeof cursor === 'string' && cursor.length <= MAX_CURSOR ? cursor : undefined
}

const MAX_CURSOR = 1024
